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

package io.quorlock.aop;

import java.lang.reflect.Method;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ReflectionUtils;

import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.declaration.LeaseBounds;
import io.quorlock.aop.declaration.LockKey;
import io.quorlock.aop.declaration.LockSpecification;
import io.quorlock.aop.declaration.LockSpecificationParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for keys whose text is not that of their value.
 */
public class KeyTextTests {

	private final LockSpecificationParser parser = new LockSpecificationParser(new DefaultListableBeanFactory(),
			new LeaseBounds(Duration.ofMillis(50), Duration.ofSeconds(60)));

	private final Method method = Objects
		.requireNonNull(ReflectionUtils.findMethod(KeyTextTests.class, "called", Object.class, Object.class));

	@Test
	void identityInARecordIsRefusedWithItsPath() {
		refuses(new Upload("a", new byte[1]), "#a.sha is a byte[]");
		refuses(new Nested(new Upload("a", new byte[1])), "#a.upload.sha is a byte[]");
		refuses(new Nested(new Plain()), "#a.upload is a " + Plain.class.getTypeName());
		refuses(new Nested(List.of("a", new Plain())), "#a.upload[1] is a " + Plain.class.getTypeName());
	}

	@Test
	void unorderedTextInARecordIsRefusedWithItsPath() {
		refuses(new Nested(Set.of("a", "b")), "#a.upload is a ");
		refuses(new Nested(new LinkedHashSet<>(List.of("a"))), "#a.upload is a LinkedHashSet");
		refuses(new Nested(Map.of("a", 1)), "#a.upload is a Map");
		assertThat(one(new Nested(new TreeSet<>(Set.of("b", "a"))))).isEqualTo("lock:Nested[upload=[a, b]]");
	}

	@Test
	void recordWithATextOfItsOwnIsAKey() {
		assertThat(one(new Own(new byte[1], Set.of("x")))).isEqualTo("lock:own");
	}

	@Test
	void identityInConcatenatedTextIsRefusedWithItsPath() {
		assertThat(key("#a + '/' + #b", "t", "c")).isEqualTo("lock:t/c");
		assertThat(key("#a + '/' + #b", "t", 42)).isEqualTo("lock:t/42");
		assertThat(key("#a + '/' + #b", "t@1f.example", "joe@cafe")).isEqualTo("lock:t@1f.example/joe@cafe");
		refused(() -> key("#a + '/' + #b", "t", new Plain()), "#b is a " + Plain.class.getTypeName());
		refused(() -> key("#a + '/' + #b", "t", new Upload("a", new byte[1])), "#b.sha is a byte[]");
		refused(() -> key("#a + '/' + #b", "t", Set.of("a", "b")), "#b is a ");
		refused(() -> key("'' + #a", new Plain()), "#a is a " + Plain.class.getTypeName());
		refused(() -> key("#a.toString() + '/'", new Plain()), "A part of the key is a " + Plain.class.getTypeName());
	}

	@Test
	void arraysInAListOfAListAreRefused() {
		refused(() -> key("{#a}", List.of(new byte[1])), "{#a}[0][0] is a byte[]");
		assertThat(key("{#a}", List.of("a", "b"))).isEqualTo("lock:[a, b]");
	}

	@Test
	void emptyOptionalsAreNoKeys() {
		for (Object empty : List.of(Optional.empty(), OptionalInt.empty(), OptionalLong.empty(),
				OptionalDouble.empty())) {
			refused(() -> one(empty), "is null");
			assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockRequest.of("a").key(empty));
		}
		assertThat(one(OptionalLong.of(42))).isEqualTo("lock:42");
		assertThat(one(Optional.of("a"))).isEqualTo("lock:a");
	}

	@Test
	void identityInATextOfAClassIsRefused() {
		refuses(new CompletableFuture<>(), "#a is a java.util.concurrent.CompletableFuture");
		refuses(List.of(new CompletableFuture<>()), "[0] is a java.util.concurrent.CompletableFuture");
		refuses(new AtomicReference<>(new Plain()), "identity of a " + Plain.class.getName());
		refuses(new AtomicReference<>(new CompletableFuture<>()),
				"identity of a java.util.concurrent.CompletableFuture");
		refuses(Map.entry("a", new Plain()), "#a.value is a " + Plain.class.getTypeName());
		refuses(List.of("a").iterator(), "#a is a ");
		refuses(List.of("a").stream(), "#a is a ");
		refuses((Runnable) () -> {
		}, "#a is a ");
		refuses(Optional.of(new Plain()), "#a is a " + Plain.class.getTypeName());
		refuses(new Nested(Optional.of(new Plain())), "#a.upload is a " + Plain.class.getTypeName());
	}

	@Test
	void orderOfACollectionInATextOfAClassIsRefused() {
		refuses(new Tagged("x", Set.of("a", "b")), "#a.tags is a ");
		refuses(new Nested(new Tagged("x", Set.of("a", "b"))), "#a.upload.tags is a ");
		refuses(new Tagged("x", List.of(Set.of("a", "b"))), "#a.tags[0] is a ");
		refuses(new Tagged("x", new Nested(Set.of("a", "b"))), "#a.tags.upload is a ");
		assertThat(one(new Tagged("x", List.of("b", "a")))).isEqualTo("lock:x[b, a]");
		assertThat(one(new Tagged("x", Set.of()))).isEqualTo("lock:x[]");
		refuses(Map.entry("a", Set.of("b")), "#a.value is a ");
	}

	@Test
	void orderOfAnotherComparatorAndZoneOfTheJvmAreRefused() {
		TreeSet<String> reversed = new TreeSet<>(Comparator.reverseOrder());
		reversed.addAll(List.of("a", "b"));
		refuses(new Nested(reversed), "#a.upload is a TreeSet");
		refuses(new Nested(new TreeMap<>(Comparator.reverseOrder())), "#a.upload is a Map");
		refuses(new Timestamp(0), "#a is a Timestamp, whose text depends on the time zone");
		refuses(new Tagged("x", new Date(0)), "#a.tags is a Date");
		refuses(new Date(0), "#a is a Date, whose text depends on the time zone");
		refuses(new Nested(new GregorianCalendar()), "#a.upload is a GregorianCalendar");
		assertThat(one(Instant.EPOCH)).isEqualTo("lock:1970-01-01T00%3A00%3A00Z");
		assertThat(one(new Nested(EnumSet.of(Thread.State.NEW)))).isEqualTo("lock:Nested[upload=[NEW]]");
	}

	@Test
	void whatMethodsMakeATextOfIsLookedAt() {
		Set<String> set = Set.of("a", "b");
		refused(() -> key("#a.toString() + '/'", set), "A part of the key is a ");
		refused(() -> key("T(String).valueOf(#a)", set), "A part of the key is a ");
		refused(() -> key("T(String).valueOf(#a)", new Nested(set)), "A part of the key.upload is a ");
		refused(() -> key("T(String).valueOf(#a)", new Plain()), "A part of the key is a " + Plain.class.getTypeName());
		refused(() -> key("T(String).format('%s', #a)", set), "A part of the key is a ");
		refused(() -> key("'a'.concat(#a)", set), "A part of the key is a ");
		refused(() -> key("T(String).join(',', #a)", set), "A part of the key is a ");
		refused(() -> key("#a.toString() + '/'", new Tagged("x", set)), "A part of the key.tags is a ");
		refused(() -> key("T(String).valueOf(#a)", new Tagged("x", set)), "A part of the key.tags is a ");
		refused(() -> key("T(String).valueOf(#a)", new Date(0)), "A part of the key is a Date");
		refused(() -> key("T(String).format('%s', #a)", new Date(0)), "A part of the key is a Date");
		refused(() -> key("new StringBuilder().append(#a)", List.of(new Date(0))), "A part of the key[0] is a Date");
		refused(() -> key("T(io.quorlock.aop.KeyTextTests).own(#a)", Stream.of("a")),
				"identity of a java.util.stream.ReferencePipeline");
		refused(() -> key("T(io.quorlock.aop.KeyTextTests).own(#a)", new Plain()),
				"identity of a " + Plain.class.getName());
		refused(() -> key("#a + #b", new AtomicReference<>(new Plain()), "x"),
				"identity of a " + Plain.class.getName());
		assertThat(key("new java.text.SimpleDateFormat('yyyy').format(#a)", new Date(0))).isEqualTo("lock:1970");
		assertThat(key("T(io.quorlock.aop.KeyTextTests).own(#a)", List.of("b", "a"))).isEqualTo("lock:own[b, a]");
		assertThat(key("T(String).join(',', #a)", List.of("b", "a"))).isEqualTo("lock:b,a");
		assertThat(key("#a.get('id')", Map.of("id", "42"))).isEqualTo("lock:42");
	}

	@Test
	void hashCodesThatDifferBetweenJvmsAreRefused() {
		for (Object key : List.of(new Plain(), Thread.State.NEW, new Own(new byte[1], Set.of()),
				List.of(new Plain()))) {
			refused(() -> key("#a.hashCode()", key), "A part of the key is the hash code of a ");
			refused(() -> key("T(java.util.Objects).hash(#a, #b)", "a", key),
					"A part of the key is the hash code of a ");
		}
		assertThat(key("#a.hashCode()", "a")).isEqualTo("lock:97");
		assertThat(key("T(java.util.Objects).hash(#a, #b)", "a", 42L)).isEqualTo("lock:" + Objects.hash("a", 42L));
	}

	@Test
	void hashesOfContentAreKeys() {
		assertThat(key("T(io.quorlock.aop.KeyTextTests).hash(#a)", new Plain())).isEqualTo("lock:7");
		assertThat(key("T(java.util.Arrays).hashCode(#a)", new byte[] { 1 })).isEqualTo("lock:32");
		assertThat(key("T(java.util.Arrays).hashCode(#a)", new String[] { "a" })).isEqualTo("lock:128");
		refused(() -> key("T(java.util.Arrays).hashCode(#a)", new Object[] { new Plain() }),
				"A part of the key is the hash code of a ");
	}

	/** Class loaders remember each name for ever. */
	@Test
	void addressThatLooksLikeTheNameOfAClassIsNotLoaded() {
		List<String> loaded = new ArrayList<>();
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(new ClassLoader(before) {

			@Override
			public Class<?> loadClass(String name) throws ClassNotFoundException {
				loaded.add(name);
				return super.loadClass(name);
			}

		});
		try {
			LockRequest.of("mail").key("Anna.Schmidt@facade");
			assertThat(loaded).isEmpty();
			assertThatExceptionOfType(LockKeyException.class)
				.isThrownBy(() -> LockRequest.of("mail").key("x" + Plain.class.getName() + "@1b2c3d4ex"));
			assertThat(loaded).containsOnly(Plain.class.getName());
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	/** As of a thread that native code has attached. */
	@Test
	void identityIsRefusedOnAThreadWithoutAClassLoader() {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(null);
		try {
			assertThat(LockRequest.of("mail").key("Anna.Schmidt@facade").names()).hasSize(1);
			refused(() -> LockRequest.of("mail").key("x" + Plain.class.getName() + "@1b2c3d4ex"),
					"identity of a " + Plain.class.getName());
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "joe@cafe", "Anna.Schmidt@deutsche.example", "a.b@c0de.example", "shop.order@7", "[x]@1f",
			"io.quorlock@1" })
	void addressesAreKeys(String key) {
		assertThat(LockRequest.of("mail").key(key).names()).hasSize(1);
	}

	private String one(Object key) {
		return key("#a", key);
	}

	private String key(String expression, Object argument) {
		return key(expression, argument, null);
	}

	private String key(String expression, Object first, @Nullable Object second) {
		DistributedLock annotation = MergedAnnotation
			.of(DistributedLock.class, Map.of("name", "lock", "key", expression))
			.synthesize();
		LockSpecification specification = this.parser.parse(annotation, this.method, KeyTextTests.class);
		LockKey key = Objects.requireNonNull(specification.key());
		Object value = key.of(null, new Object[] { first, second });
		return String.join(",", specification.request().key(value, key.path()).names());
	}

	void called(Object a, Object b) {
	}

	private void refuses(Object key, String message) {
		refused(() -> one(key), message);
	}

	private static void refused(Runnable call, String message) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(call::run).withMessageContaining(message);
	}

	record Upload(String name, byte[] sha) {
	}

	record Nested(Object upload) {
	}

	record Own(byte[] sha, Set<String> tags) {

		@Override
		public String toString() {
			return "own";
		}

	}

	static class Tagged {

		private final String name;

		private final Object tags;

		Tagged(String name, Object tags) {
			this.name = name;
			this.tags = tags;
		}

		@Override
		public String toString() {
			return this.name + this.tags;
		}

	}

	static class Plain {

	}

	public static String own(Object key) {
		return "own" + key;
	}

	public static long hash(Object key) {
		return 7;
	}

}
