package io.quorlock.docs

import io.quorlock.LockContext
import io.quorlock.LockRequest
import io.quorlock.LockTemplate
import io.quorlock.annotation.DistributedLock
import kotlinx.coroutines.delay
import org.springframework.stereotype.Service
import java.time.Duration

// Compiled here, shown in docs/spring.md: DocsTests compares the two.

@Service
class Shipping(private val lockTemplate: LockTemplate) {

	@DistributedLock(name = "order", key = "#orderId")
	suspend fun ship(orderId: Long): Long {
		delay(100) // the lock is held until the function completes, on whatever thread
		return orderId
	}

	@DistributedLock(name = "stock", key = "#sku")
	fun restock(sku: String): Long = LockContext.fencingToken()

	fun shipAll(orderIds: List<Long>) =
		lockTemplate.acquire(LockRequest.ofAll(orderIds.map { "order:$it" }).waitTime(Duration.ofSeconds(2))).use { lock ->
			lock.ensureHeld()
			lock.names()
		}

}
