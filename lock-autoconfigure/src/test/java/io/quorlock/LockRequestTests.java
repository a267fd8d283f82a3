package io.quorlock;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LockRequest}: a key is either locked as it is or refused.
 */
class LockRequestTests {

	@Test
	void keyIsAppendedToTheName() {
		LockRequest request = LockRequest.of("order").key(42);
		assertThat(request.names()).containsExactly("order:42");
		assertThat(request.baseName()).isEqualTo("order");
	}

	@Test
	void collectionsAndArraysStandForAllTheirElementsSortedWithoutDuplicates() {
		assertThat(LockRequest.of("stock").key(List.of("b", "a", "b")).names()).containsExactly("stock:a", "stock:b");
		assertThat(LockRequest.of("stock").key(new int[] { 2, 1 }).names()).containsExactly("stock:1", "stock:2");
		assertThat(LockRequest.ofAll("b", "a", "b").names()).containsExactly("a", "b");
	}

	@Test
	void nullAndEmptyKeysAreRefused() {
		assertRefused(() -> LockRequest.of("order").key(null), "The key of lock 'order' is null");
		assertRefused(() -> LockRequest.of("order").key(""), "The key of lock 'order' is an empty string");
		assertRefused(() -> LockRequest.of("order").key(List.of()), "empty collection");
		assertRefused(() -> LockRequest.of("order").key(Arrays.asList("a", null)), "is null");
		assertRefused(() -> LockRequest.of(""), "must not be empty");
		assertRefused(() -> LockRequest.ofAll(Collections.emptyList()), "nothing to lock");
	}

	@Test
	void keyWithoutATextOfItsOwnIsRefused() {
		assertRefused(() -> LockRequest.of("order").key(new Object()),
				"The key of lock 'order' is a java.lang.Object, which has no toString() of its own");
		assertRefused(() -> LockRequest.of("order").key(List.of(new int[] { 1 })), "is a int[]");
		record Sku(String code) {
		}
		assertThat(LockRequest.of("order").key(new Sku("a")).names()).containsExactly("order:Sku[code=a]");
		assertThat(LockRequest.of("order").key("java.lang.String@2a").names())
			.containsExactly("order:java.lang.String@2a");
	}

	@Test
	void tooLongKeyIsRefused() {
		assertRefused(() -> LockRequest.of("order").key("x".repeat(10_000)), "10,006 characters");
		assertThat(LockRequest.of("x".repeat(1024)).names()).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "with space", "line\nbreak", "tab\t", "nul\u0000", "{", "{}", "a}b", "{x}y", "ключ", "鍵",
			"😀", "e\u0301", "a:b:c", "*", "?" })
	void unusualNamesAreTakenAsTheyAre(String name) {
		assertThat(LockRequest.of(name).names()).containsExactly(name);
	}

	@Test
	void namesWithoutAnUnambiguousFormOnTheWireAreRefused() {
		assertRefused(() -> LockRequest.of("}order"), "must not start with '}'");
		assertRefused(() -> LockRequest.of("a\ud83d"), "unpaired surrogate at index 1");
		assertRefused(() -> LockRequest.of("\ude00a"), "unpaired surrogate at index 0");
	}

	@Test
	void durationsThatMakeNoSenseAreRefused() {
		LockRequest request = LockRequest.of("order");
		assertThatIllegalArgumentException().isThrownBy(() -> request.waitTime(Duration.ofMillis(-1)))
			.withMessageContaining("order");
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseTime(Duration.ZERO))
			.withMessageContaining("order");
		assertThatIllegalArgumentException().isThrownBy(() -> request.holdAtLeast(Duration.ofMillis(-1)))
			.withMessageContaining("order");
	}

	@Test
	void whatIsUnprintableInANameIsEscapedInTheMessage() {
		assertRefused(() -> LockRequest.of("}\r\nWARN forged \u001b[31m\u202e"),
				"'}\\u000d\\u000aWARN forged \\u001b[31m\\u202e'");
	}

	private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable code, String message) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(code).withMessageContaining(message);
	}

}
