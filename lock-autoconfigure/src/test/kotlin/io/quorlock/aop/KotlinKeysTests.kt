package io.quorlock.aop

import io.quorlock.LockKeyException
import io.quorlock.LockRequest
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test

/** Tests for keys that are values of Kotlin's own kinds. */
class KotlinKeysTests {

	@Test
	fun dataClassIsAKeyByTheTextOfItsProperties() {
		assertThat(name(Upload("a", byteArrayOf(1, 2)))).isEqualTo(name(Upload("a", byteArrayOf(1, 2))))
			.isNotEqualTo(name(Upload("a", byteArrayOf(1, 3))))
		assertThat(name(Listed(arrayOf("b", "a")))).isEqualTo("key:Listed(value=[b, a])")
		assertThat(name(Tagged(UserId("7")))).isEqualTo("key:Tagged(value=UserId(id=7))")
		assertThat(name("a" to 7)).isEqualTo("key:(a, 7)")
		assertThat(name(1..3)).isEqualTo("key:1..3")
		assertThat(name(Everybody)).isEqualTo("key:Everybody")
	}

	@Test
	fun whatHasNoOrderInADataClassIsRefusedWithItsPath() {
		refused(Tagged(setOf("a", "b")), "key.value is a LinkedHashSet")
		refused(Tagged(mapOf("a" to 1, "b" to 2)), "key.value is a Map")
		refused(Tagged(Tagged(setOf("a", "b"))), "key.value.value is a LinkedHashSet")
		refused(Listed(arrayOf(setOf("a", "b"))), "key.value[0] is a LinkedHashSet")
		refused("a" to setOf("a", "b"), "key.second is a LinkedHashSet")
	}

	@Test
	fun identityInADataClassIsRefusedWithItsPath() {
		refused(Tagged(Plain()), "key.value is a ${Plain::class.java.typeName}")
		refused(Listed(arrayOf(Plain())), "key.value[0] is a ${Plain::class.java.typeName}")
		refused(Listed(arrayOf(byteArrayOf(1))), "key.value[0] is a byte[]")
		refused(Tagged(listOf(byteArrayOf(1))), "key.value[0] is a byte[]")
	}

	private fun name(key: Any): String = LockRequest.of("key").key(key).names().single()

	private fun refused(key: Any, message: String) {
		assertThatExceptionOfType(LockKeyException::class.java).isThrownBy { name(key) }.withMessageContaining(message)
	}

	@Suppress("ArrayInDataClass")
	data class Upload(val name: String, val sha: ByteArray)

	@Suppress("ArrayInDataClass")
	data class Listed(val value: Array<out Any>)

	data class Tagged(private val value: Any)

	@JvmInline
	value class UserId(val id: String)

	data object Everybody

	class Plain

}
