package io.quorlock.aop

import io.quorlock.LockContext
import io.quorlock.LockRequest
import io.quorlock.LockTemplate
import io.quorlock.annotation.DistributedLock
import io.quorlock.aop.declaration.InvalidLockDeclarationException
import io.quorlock.autoconfigure.LockAutoConfiguration
import io.quorlock.reactive.ReactiveLockContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatIllegalStateException
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration
import org.springframework.boot.test.context.runner.ApplicationContextRunner

/** Tests for what Kotlin makes of names, generic types and suspending functions. */
class KotlinDeclarationTests {

	private val contextRunner = ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration::class.java))
		.withPropertyValues("distributed-lock.backend=in-memory")

	private val classProxyRunner = contextRunner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration::class.java))

	@Test
	fun suspendingOverrideThatSpringDoesNotFindBehindItsBridgeIsRefusedAtStart() {
		listOf(contextRunner, classProxyRunner).forEach { runner ->
			runner.withBean(OverridingProcessor::class.java).run { context ->
				assertThat(context).hasFailed()
				assertThat(context.startupFailure).isInstanceOf(InvalidLockDeclarationException::class.java)
					.hasMessageContaining("OverridingProcessor.process(").hasMessageContaining("bridge methods")
			}
		}
	}

	@Test
	fun onlyImplementationOfAGenericSuspendingFunctionIsLocked() {
		listOf(contextRunner, classProxyRunner).forEach { runner ->
			runner.withBean(OnlyProcessor::class.java).run { context ->
				@Suppress("UNCHECKED_CAST")
				val processor = context.getBean(Processor::class.java) as Processor<SampleValue>
				val locks = context.getBean(LockTemplate::class.java)
				val value = SampleValue { locks.tryAcquire(LockRequest.of("sample")).isEmpty }
				runBlocking { processor.process(value) }
				assertThat(value.locked).isTrue()
			}
		}
	}

	@Test
	fun fallbackWithAValueClassIsFound() {
		classProxyRunner.withBean(Shop::class.java).run { context ->
			val shop = context.getBean(Shop::class.java)
			assertThat(shop.reserve(Sku("a"))).isEqualTo("reserved a")
			context.getBean(LockTemplate::class.java).acquire(LockRequest.of("sku").key("a")).use {
				assertThat(shop.reserve(Sku("a"))).isEqualTo("a is busy")
				assertThat(runBlocking { shop.reserveLater(Sku("a")) }).isEqualTo("a is busy later")
				assertThat(shop.reserveHere("a")).isEqualTo("a is busy here")
			}
		}
	}

	@Test
	fun tokenOfASuspendingFunctionComesFromTheReactiveContextAsTheMessageSays() {
		classProxyRunner.withBean(Shop::class.java).run { context ->
			val shop = context.getBean(Shop::class.java)
			assertThatIllegalStateException().isThrownBy { runBlocking { shop.tokenOfTheThread() } }
				.withMessageContaining("ReactiveLockContext.fencingToken().awaitSingle()")
			assertThatIllegalStateException().isThrownBy { runBlocking { shop.tokenOfTheThreadAtOnce() } }
				.withMessageContaining("ReactiveLockContext.fencingToken().awaitSingle()")
			assertThat(runBlocking { shop.token() }).isPositive()
		}
	}

	interface RootValue

	interface SpecializedValue : RootValue

	class SampleValue(private val isLocked: () -> Boolean) : SpecializedValue {

		var locked = false

		fun look() {
			this.locked = isLocked()
		}

	}

	interface Processor<T : RootValue> {

		suspend fun <S : T> process(value: S): S

	}

	abstract class SpecializedProcessor<T : SpecializedValue> : Processor<T> {

		override suspend fun <S : T> process(value: S): S = value

	}

	open class OverridingProcessor : SpecializedProcessor<SampleValue>() {

		@DistributedLock("sample")
		override suspend fun <S : SampleValue> process(value: S): S = value

	}

	open class OnlyProcessor : Processor<SampleValue> {

		@DistributedLock("sample")
		override suspend fun <S : SampleValue> process(value: S): S {
			delay(1)
			value.look()
			return value
		}

	}

	@JvmInline
	value class Sku(val value: String)

	open class Shop {

		@DistributedLock(name = "sku", key = "#sku", waitTime = "0s", fallback = "busy")
		open fun reserve(sku: Sku): String = "reserved ${sku.value}"

		open fun busy(sku: Sku): String = "${sku.value} is busy"

		@DistributedLock(name = "sku", key = "#sku", waitTime = "0s", fallback = "busyLater")
		open suspend fun reserveLater(sku: Sku): String = "reserved ${sku.value}"

		open suspend fun busyLater(sku: Sku): String = "${sku.value} is busy later"

		@DistributedLock(name = "sku", key = "#sku", waitTime = "0s", fallback = "busyHere")
		internal open fun reserveHere(sku: String): String = "reserved $sku"

		internal open fun busyHere(sku: String): String = "$sku is busy here"

		@DistributedLock("token")
		open suspend fun tokenOfTheThread(): Long {
			delay(1)
			return LockContext.fencingToken()
		}

		@DistributedLock("token")
		open suspend fun tokenOfTheThreadAtOnce(): Long = LockContext.fencingToken()

		@DistributedLock("token")
		open suspend fun token(): Long {
			delay(1)
			return ReactiveLockContext.fencingToken().awaitSingle()
		}

	}

}
