/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

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
		assertThat(LockRequest.ofAll("a", "b", "c").only(List.of("c", "a")).names()).containsExactly("a", "c");
	}

	@Test
	void keyIsOnePartOfTheNameWhateverItContains() {
		assertThat(LockRequest.of("order").key("42:items").names()).containsExactly("order:42%3Aitems")
			.isNotEqualTo(LockRequest.of("order:42").key("items").names());
		assertThat(LockRequest.of("order").key("42%3Aitems").names()).containsExactly("order:42%253Aitems");
		assertThat(LockRequest.of("order").key(List.of("a:b", "a/b")).names()).containsExactly("order:a%3Ab",
				"order:a/b");
		assertThat(LockRequest.of("order:42").names()).isEqualTo(LockRequest.of("order").key(42).names());
		assertRefused(() -> LockRequest.of("order").key(":".repeat(400)), "longer than 1,024");
	}

	@Test
	void noTwoPairsOfNameAndKeyAreOneLock() {
		List<String> parts = List.of("a", "b", ":", "%", "%3A", "%25", "a:b", ":a", "a:", "a%3Ab");
		Set<String> names = new HashSet<>();
		for (String name : List.of("a", "a:b", "a:b:a", "a%3Ab")) {
			for (String first : parts) {
				for (String second : parts) {
					names.add(name + " / " + first + second);
				}
			}
		}
		Set<String> locks = new HashSet<>();
		for (String pair : names) {
			String[] nameAndKey = pair.split(" / ");
			locks.add(LockRequest.of(nameAndKey[0]).key(nameAndKey[1]).names().get(0));
		}
		assertThat(locks).hasSameSizeAs(names);
	}

	@Test
	void namesOfTheLibraryItselfAreRefused() {
		assertRefused(() -> LockRequest.of("~instance:app@host:1"), "must not start with '~'");
		assertThat(LockRequest.of("a~b").key("~instance:x").names()).containsExactly("a~b:~instance%3Ax");
	}

	@Test
	void holdOfMoreThanTenYearsIsRefused() {
		Duration century = Duration.ofDays(36_525);
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("order").holdAtLeast(century))
			.withMessageContaining("longer than ten years");
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
		assertRefused(() -> LockRequest.of("order").key(new ProxiedEntity(new Entity())),
				"is a " + ProxiedEntity.class.getName());
		record Sku(String code) {
		}
		assertThat(LockRequest.of("order").key(new Sku("a")).names()).containsExactly("order:Sku[code=a]");
		assertThat(LockRequest.of("order").key("java.lang.String@2a").names())
			.containsExactly("order:java.lang.String@2a");
	}

	/** It shows as one that is null. */
	@Test
	void partOfAKeyMayHaveNoText() {
		record Order(Entity entity, String code) {
		}
		Entity silent = Mockito.mock();
		BDDMockito.given(silent.toString()).willReturn(null);
		assertThat(LockRequest.of("order").key(new Order(silent, "a")).names())
			.containsExactly("order:Order[entity=null, code=a]");
	}

	@Test
	void keyWhoseOwnTextLooksLikeThatOfAnObjectIsTaken() {
		assertThat(LockRequest.of("order").key("joe@abba").names()).containsExactly("order:joe@abba");
		Entity named = new ProxiedEntity(new Entity() {

			@Override
			public String toString() {
				return Entity.class.getName() + "@home";
			}

		});
		assertThat(LockRequest.of("order").key(named).names()).containsExactly("order:" + named);
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
		assertThatIllegalArgumentException().isThrownBy(() -> request.leaseTime(Duration.ofMillis(-1)))
			.withMessageContaining("order");
		assertThatIllegalArgumentException().isThrownBy(() -> request.holdAtLeast(Duration.ofMillis(-1)))
			.withMessageContaining("order");
	}

	/** Two instances would make two locks of it. */
	@Test
	void keyWhoseTextDependsOnAnOrderIsRefused() {
		assertRefused(() -> LockRequest.of("order").key(Map.of("id", 42)), "is a Map");
		assertRefused(() -> LockRequest.of("order").key(List.of(1, Map.of("id", 42))), "is a Map");
	}

	@Test
	void arrayThatIsOneValueIsRefused() {
		assertRefused(() -> LockRequest.of("order").key(new byte[] { 4, 2 }), "is a byte[]");
		assertRefused(() -> LockRequest.of("order").key(new char[] { '4', '2' }), "is a char[]");
	}

	@Test
	void kindsThatDoNotGoTogetherAreRefused() {
		LockRequest order = LockRequest.of("order");
		LockRequest both = LockRequest.ofAll("a", "b");
		Duration second = Duration.ofSeconds(1);
		assertRefusedAs(() -> order.shared().permits(2), "Lock 'order' cannot be shared and have permits");
		assertRefusedAs(() -> order.permits(2).shared(), "Lock 'order' cannot be shared and have permits");
		assertRefusedAs(() -> both.permits(2), "Lock 'a,b' has permits, and so cannot be locked together with others");
		assertRefusedAs(both::fair, "Lock 'a,b' is fair, and so cannot be locked together with others");
		assertRefusedAs(() -> order.fair().keys(List.of(1, 2)),
				"Lock 'order:1,order:2' is fair, and so cannot be locked together with others");
		assertRefusedAs(() -> order.shared().holdAtLeast(second), "Lock 'order' is shared, and so cannot be held");
		for (LockRequest request : List.of(both, order.shared(), order.permits(2), order.fair(),
				order.leaseTime(second), order.holdAtLeast(second))) {
			assertRefusedAs(() -> request.retainTime(second), "cannot be retained");
			assertThat(request.retainTime(Duration.ZERO).retainTime()).isZero();
			assertThat(request.isRetainable()).isFalse();
		}
		assertRefusedAs(() -> order.retainTime(second.negated()), "Retain time of lock 'order' is negative");
		assertThat(order.isRetainable()).isTrue();
	}

	@Test
	void numberOfPermitsHasLimits() {
		LockRequest order = LockRequest.of("order");
		assertRefusedAs(() -> order.permits(0), "Lock 'order' has 1 to " + LockRequest.MAX_PERMITS + " permits, not 0");
		assertRefusedAs(() -> order.permits(LockRequest.MAX_PERMITS + 1), "not " + (LockRequest.MAX_PERMITS + 1));
		assertThat(order.permits(LockRequest.MAX_PERMITS).permits()).isEqualTo(LockRequest.MAX_PERMITS);
	}

	@Test
	void everyValueIsKeptWhenAnotherIsChanged() {
		LockContext context = LockContext.with(Mockito.mock(LockHandle.class), null);
		LockRequest request = LockRequest.of("order")
			.waitTime(Duration.ofSeconds(1))
			.leaseTime(Duration.ofSeconds(2))
			.holdAtLeast(Duration.ofSeconds(3))
			.permits(4)
			.fair()
			.notReentrant()
			.releaseImmediately()
			.within(context)
			.key(5);
		assertThat(request.names()).containsExactly("order:5");
		assertThat(request.waitTime()).isEqualTo(Duration.ofSeconds(1));
		assertThat(request.leaseTime()).isEqualTo(Duration.ofSeconds(2));
		assertThat(request.holdAtLeast()).isEqualTo(Duration.ofSeconds(3));
		assertThat(request.permits()).isEqualTo(4);
		assertThat(request.isFair()).isTrue();
		assertThat(request.isReentrant()).isFalse();
		assertThat(request.isReleasedImmediately()).isTrue();
		assertThat(request.context()).isSameAs(context);
		assertThat(request.withinThisCall()).as("of another call").isSameAs(request);
		assertThat(LockRequest.of("order").shared().key(5).mode()).isEqualTo(LockMode.SHARED);
		assertThat(LockRequest.of("order").retainTime(Duration.ofSeconds(6)).key(5).retainTime())
			.isEqualTo(Duration.ofSeconds(6));
	}

	@Test
	void moreNamesThanOneRequestTakesAreRefusedWithTheNumber() {
		List<String> names = IntStream.range(0, 6_000).mapToObj((i) -> "item:" + i).toList();
		assertThat(LockRequest.ofAll(names.subList(0, 256)).names()).hasSize(256);
		assertRefused(() -> LockRequest.ofAll(names.subList(0, 257)), "257 locks are too many for one request");
		assertRefused(() -> LockRequest.ofAll(names), "6,000 locks are too many for one request, which takes 256");
		assertRefused(() -> LockRequest.of("order").keys(names), "256");
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockRequest.ofAll(names))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(400));
	}

	@Test
	void messagesNameTheFirstOfManyNames() {
		LockRequest request = LockRequest.ofAll(IntStream.range(0, 200).mapToObj((i) -> "item:" + i).toList());
		assertThatIllegalArgumentException().isThrownBy(request::fair)
			.withMessageContaining("item:0,item:1")
			.withMessageContaining("and 195 more")
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(200));
	}

	@Test
	void whatIsUnprintableInANameIsEscapedInTheMessage() {
		assertRefused(() -> LockRequest.of("}\r\nWARN forged \u001b[31m\u202e"),
				"'}\\u000d\\u000aWARN forged \\u001b[31m\\u202e'");
	}

	private static void assertRefusedAs(ThrowingCallable code, String message) {
		assertThatIllegalArgumentException().isThrownBy(code).withMessageContaining(message);
	}

	private static void assertRefused(ThrowingCallable code, String message) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(code).withMessageContaining(message);
	}

	static class Entity {

	}

	/** As one of Hibernate, which passes on all methods to what it loads. */
	static class ProxiedEntity extends Entity {

		private final Entity loaded;

		ProxiedEntity(Entity loaded) {
			this.loaded = loaded;
		}

		@Override
		public String toString() {
			return this.loaded.toString();
		}

	}

}
