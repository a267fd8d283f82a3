package io.quorlock.aop

import io.quorlock.LockContext
import io.quorlock.LockNotAcquiredException
import io.quorlock.LockRequest
import io.quorlock.LockTemplate
import io.quorlock.annotation.DistributedLock
import io.quorlock.autoconfigure.LockAutoConfiguration
import io.quorlock.embedded.EmbeddedRedis
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.assertj.core.api.Assertions.assertThatIllegalStateException
import org.awaitility.Awaitility
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.core.PropagationContextElement
import java.time.Duration

/** Tests for suspending functions and flows, over real nodes. */
class KotlinTests {

	private val contextRunner = ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration::class.java))
		.withPropertyValues("distributed-lock.nodes=" + redis.uris().joinToString(","),
			"distributed-lock.restart-quarantine=0s", "distributed-lock.connection.operation-timeout=2s")
		.withBean(Accounts::class.java)

	@Test
	fun suspendingFunctionHoldsTheLockUntilItCompletes() = run { accounts, locks ->
		val result = async(Dispatchers.Default) { accounts.balance("a") }
		accounts.entered.await()
		assertThat(locks.isFree("account:a")).isFalse()
		accounts.mayGoOn.complete(Unit)
		assertThat(result.await()).isEqualTo(42)
		assertThat(locks.isFree("account:a")).isTrue()
	}

	@Test
	fun cancelledSuspendingFunctionReleasesTheLock() = run { accounts, locks ->
		val job = launch(Dispatchers.Default) { accounts.balance("a") }
		accounts.entered.await()
		assertThat(locks.isFree("account:a")).isFalse()
		job.cancelAndJoin()
		locks.awaitFree("account:a")
	}

	@Test
	fun failureOfASuspendingFunctionReleasesTheLock() = run { accounts, locks ->
		assertThatIllegalStateException().isThrownBy { runBlocking { accounts.failing("a") } }.withMessage("no money")
		assertThat(locks.isFree("account:a")).isTrue()
	}

	@Test
	fun suspendingFunctionsOfOneKeyRunOneAtATime() = run { accounts, _ ->
		(1..20).map { async(Dispatchers.Default) { accounts.deposit("a") } }.awaitAll()
		assertThat(accounts.deposits).isEqualTo(20)
	}

	@Test
	fun flowHoldsTheLockWhileItIsCollected() = run { accounts, locks ->
		val bookings = accounts.bookings("a")
		assertThat(locks.isFree("account:a")).isTrue()
		val result = async(Dispatchers.Default) { bookings.toList() }
		accounts.entered.await()
		assertThat(locks.isFree("account:a")).isFalse()
		accounts.mayGoOn.complete(Unit)
		assertThat(result.await()).containsExactly(1, 2)
		assertThat(locks.isFree("account:a")).isTrue()
	}

	@Test
	fun flowThatIsNotCollectedToItsEndReleasesTheLock() = run { accounts, locks ->
		assertThat(accounts.bookings("a").first()).isEqualTo(1)
		locks.awaitFree("account:a")
	}

	@Test
	fun flowOfASuspendingFunctionIsLockedLikeAnyOther() = run { accounts, locks ->
		accounts.mayGoOn.complete(Unit)
		assertThat(accounts.bookingsLater("a").toList()).containsExactly(1, 2)
		assertThat(locks.isFree("account:a")).isTrue()
	}

	@Test
	fun lockHeldElsewhereIsToldSkippedOrLeftToTheFallback() = run { accounts, locks ->
		locks.acquire(LockRequest.of("account:a")).use {
			assertThatExceptionOfType(LockNotAcquiredException::class.java)
				.isThrownBy { runBlocking { accounts.impatient("a") } }
			assertThat(accounts.skipping("a")).isNull()
			assertThat(accounts.fallingBack("a")).isEqualTo("fallback of a")
		}
		assertThat(accounts.fallingBack("a")).isEqualTo("locked a")
	}

	@Test
	fun suspendingFunctionReentersTheLockOfItsCaller() = run { accounts, locks ->
		assertThat(accounts.transfer("a", accounts)).isEqualTo("locked a")
		assertThat(locks.isFree("account:a")).isTrue()
	}

	@Test
	fun suspendingFunctionKnowsItsLockWhereContextIsPropagated() = run { accounts, _ ->
		withContext(PropagationContextElement()) {
			assertThat(accounts.lockNames("a")).containsExactly("account:a", "account:a")
			assertThat(LockContext.current()).isEmpty()
		}
	}

	private fun run(body: suspend CoroutineScope.(Accounts, LockTemplate) -> Unit) {
		this.contextRunner.run { context ->
			val accounts = context.getBean(Accounts::class.java)
			val locks = context.getBean(LockTemplate::class.java)
			locks.acquire(LockRequest.of("ready").waitTime(Duration.ofSeconds(20))).close()
			runBlocking { withTimeout(30_000) { coroutineScope { body(accounts, locks) } } }
		}
	}

	private fun LockTemplate.isFree(name: String) = tryExecute<RuntimeException>(name) {}

	private fun LockTemplate.awaitFree(name: String) =
		Awaitility.await().atMost(Duration.ofSeconds(10)).until { isFree(name) }

	open class Accounts {

		open val entered = CompletableDeferred<Unit>()

		open val mayGoOn = CompletableDeferred<Unit>()

		open var deposits = 0

		@DistributedLock(name = "account", key = "#id")
		open suspend fun balance(id: String): Int {
			this.entered.complete(Unit)
			this.mayGoOn.await()
			return 42
		}

		@DistributedLock(name = "account", key = "#id")
		open suspend fun failing(id: String): Int {
			delay(1)
			throw IllegalStateException("no money")
		}

		@DistributedLock(name = "account", key = "#id", waitTime = "20s")
		open suspend fun deposit(id: String) {
			val before = this.deposits
			delay(2)
			this.deposits = before + 1
		}

		@DistributedLock(name = "account", key = "#id")
		open fun bookings(id: String): Flow<Int> = flow {
			emit(1)
			this@Accounts.entered.complete(Unit)
			this@Accounts.mayGoOn.await()
			emit(2)
		}

		@DistributedLock(name = "account", key = "#id")
		open suspend fun bookingsLater(id: String): Flow<Int> {
			delay(1)
			return bookings(id)
		}

		@DistributedLock(name = "account", key = "#id", waitTime = "0s")
		open suspend fun impatient(id: String): String = "locked $id"

		@DistributedLock(name = "account", key = "#id", waitTime = "0s", onContention = DistributedLock.OnContention.SKIP)
		open suspend fun skipping(id: String): String? = "locked $id"

		@DistributedLock(name = "account", key = "#id", waitTime = "0s", fallback = "instead")
		open suspend fun fallingBack(id: String): String = "locked $id"

		open suspend fun instead(id: String): String {
			delay(1)
			return "fallback of $id"
		}

		@DistributedLock(name = "account", key = "#id")
		open suspend fun transfer(id: String, proxy: Accounts): String {
			delay(1)
			return proxy.impatient(id)
		}

		@DistributedLock(name = "account", key = "#id")
		open suspend fun lockNames(id: String): List<String?> {
			val before = lockName()
			delay(1)
			return listOf(before, lockName())
		}

		private fun lockName(): String? = LockContext.current().map { it.name() }.orElse(null)

	}

	companion object {

		private val redis = EmbeddedRedis.start(3)

		@AfterAll
		@JvmStatic
		fun stopRedis() = redis.close()

	}

}
