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

import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
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

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for keys whose text is not that of their value.
 */
public class KeyTextTests {

	private AnnotationConfigApplicationContext context;

	private Keys keys;

	@BeforeEach
	void start() {
		this.context = new AnnotationConfigApplicationContext(AopConfiguration.class, Keys.class);
		this.keys = this.context.getBean(Keys.class);
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void identityInARecordIsRefusedWithItsPath() {
		refuses(new Upload("a", new byte[1]), "#upload.sha is a byte[]");
		refuses(new Nested(new Upload("a", new byte[1])), "#upload.upload.sha is a byte[]");
		refuses(new Nested(new Plain()), "#upload.upload is a " + Plain.class.getTypeName());
		refuses(new Nested(List.of("a", new Plain())), "#upload.upload[1] is a " + Plain.class.getTypeName());
	}

	@Test
	void unorderedTextInARecordIsRefusedWithItsPath() {
		refuses(new Nested(Set.of("a", "b")), "#upload.upload is a ");
		refuses(new Nested(new LinkedHashSet<>(List.of("a"))), "#upload.upload is a LinkedHashSet");
		refuses(new Nested(Map.of("a", 1)), "#upload.upload is a Map");
		assertThat(this.keys.one(new Nested(new TreeSet<>(Set.of("b", "a")))))
			.isEqualTo("upload:Nested[upload=[a, b]]");
	}

	@Test
	void recordWithATextOfItsOwnIsAKey() {
		assertThat(this.keys.one(new Own(new byte[1], Set.of("x")))).isEqualTo("upload:own");
	}

	@Test
	void identityInConcatenatedTextIsRefusedWithItsPath() {
		assertThat(this.keys.joined("t", "c")).isEqualTo("joined:t/c");
		assertThat(this.keys.joined("t", 42)).isEqualTo("joined:t/42");
		assertThat(this.keys.joined("t@1f.example", "joe@cafe")).isEqualTo("joined:t@1f.example/joe@cafe");
		refused(() -> this.keys.joined("t", new Plain()), "#customer is a " + Plain.class.getTypeName());
		refused(() -> this.keys.joined("t", new Upload("a", new byte[1])), "#customer.sha is a byte[]");
		refused(() -> this.keys.joined("t", Set.of("a", "b")), "#customer is a ");
		refused(() -> this.keys.empty(new Plain()), "#customer is a " + Plain.class.getTypeName());
		refused(() -> this.keys.text(new Plain()), "A part of the key is a " + Plain.class.getTypeName());
	}

	@Test
	void arraysInAListOfAListAreRefused() {
		refused(() -> this.keys.several(List.of(new byte[1])), "{#list}[0][0] is a byte[]");
		assertThat(this.keys.several(List.of("a", "b"))).isEqualTo("several:[a, b]");
	}

	@Test
	void emptyOptionalsAreNoKeys() {
		for (Object empty : List.of(Optional.empty(), OptionalInt.empty(), OptionalLong.empty(),
				OptionalDouble.empty())) {
			refused(() -> this.keys.one(empty), "is null");
			assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> LockRequest.of("a").key(empty));
		}
		assertThat(this.keys.one(OptionalLong.of(42))).isEqualTo("upload:42");
		assertThat(this.keys.one(Optional.of("a"))).isEqualTo("upload:a");
	}

	@Test
	void identityInATextOfAClassIsRefused() {
		refuses(new CompletableFuture<>(), "#upload is a java.util.concurrent.CompletableFuture");
		refuses(List.of(new CompletableFuture<>()), "[0] is a java.util.concurrent.CompletableFuture");
		refuses(new AtomicReference<>(new Plain()), "identity of a " + Plain.class.getName());
		refuses(new AtomicReference<>(new CompletableFuture<>()),
				"identity of a java.util.concurrent.CompletableFuture");
		refuses(Map.entry("a", new Plain()), "#upload.value is a " + Plain.class.getTypeName());
		refuses(List.of("a").iterator(), "#upload is a ");
		refuses(List.of("a").stream(), "#upload is a ");
		refuses((Runnable) () -> {
		}, "#upload is a ");
		refuses(Optional.of(new Plain()), "#upload is a " + Plain.class.getTypeName());
		refuses(new Nested(Optional.of(new Plain())), "#upload.upload is a " + Plain.class.getTypeName());
	}

	@Test
	void orderOfACollectionInATextOfAClassIsRefused() {
		refuses(new Tagged("x", Set.of("a", "b")), "#upload.tags is a ");
		refuses(new Nested(new Tagged("x", Set.of("a", "b"))), "#upload.upload.tags is a ");
		refuses(new Tagged("x", List.of(Set.of("a", "b"))), "#upload.tags[0] is a ");
		refuses(new Tagged("x", new Nested(Set.of("a", "b"))), "#upload.tags.upload is a ");
		assertThat(this.keys.one(new Tagged("x", List.of("b", "a")))).isEqualTo("upload:x[b, a]");
		assertThat(this.keys.one(new Tagged("x", Set.of()))).isEqualTo("upload:x[]");
		refuses(Map.entry("a", Set.of("b")), "#upload.value is a ");
	}

	@Test
	void orderOfAnotherComparatorAndZoneOfTheJvmAreRefused() {
		TreeSet<String> reversed = new TreeSet<>(Comparator.reverseOrder());
		reversed.addAll(List.of("a", "b"));
		refuses(new Nested(reversed), "#upload.upload is a TreeSet");
		refuses(new Nested(new TreeMap<>(Comparator.reverseOrder())), "#upload.upload is a Map");
		refuses(new Timestamp(0), "#upload is a Timestamp, whose text depends on the time zone");
		refuses(new Tagged("x", new Date(0)), "#upload.tags is a Date");
		refuses(new Date(0), "#upload is a Date, whose text depends on the time zone");
		refuses(new Nested(new GregorianCalendar()), "#upload.upload is a GregorianCalendar");
		assertThat(this.keys.one(Instant.EPOCH)).isEqualTo("upload:1970-01-01T00%3A00%3A00Z");
		assertThat(this.keys.one(new Nested(EnumSet.of(Thread.State.NEW)))).isEqualTo("upload:Nested[upload=[NEW]]");
	}

	@Test
	void whatMethodsMakeATextOfIsLookedAt() {
		Set<String> set = Set.of("a", "b");
		refused(() -> this.keys.text(set), "A part of the key is a ");
		refused(() -> this.keys.valueOf(set), "A part of the key is a ");
		refused(() -> this.keys.valueOf(new Nested(set)), "A part of the key.upload is a ");
		refused(() -> this.keys.valueOf(new Plain()), "A part of the key is a " + Plain.class.getTypeName());
		refused(() -> this.keys.format(set), "A part of the key is a ");
		refused(() -> this.keys.concat(set), "A part of the key is a ");
		refused(() -> this.keys.join(set), "A part of the key is a ");
		refused(() -> this.keys.text(new Tagged("x", set)), "A part of the key.tags is a ");
		refused(() -> this.keys.valueOf(new Tagged("x", set)), "A part of the key.tags is a ");
		refused(() -> this.keys.valueOf(new Date(0)), "A part of the key is a Date");
		refused(() -> this.keys.format(new Date(0)), "A part of the key is a Date");
		refused(() -> this.keys.append(List.of(new Date(0))), "A part of the key[0] is a Date");
		refused(() -> this.keys.own(Stream.of("a")), "identity of a java.util.stream.ReferencePipeline");
		refused(() -> this.keys.own(new Plain()), "identity of a " + Plain.class.getName());
		refused(() -> this.keys.pair(new AtomicReference<>(new Plain()), "x"),
				"identity of a " + Plain.class.getName());
		assertThat(this.keys.year(new Date(0))).isEqualTo("joined:1970");
		assertThat(this.keys.own(List.of("b", "a"))).isEqualTo("joined:own[b, a]");
		assertThat(this.keys.join(List.of("b", "a"))).isEqualTo("joined:b,a");
		assertThat(this.keys.get(Map.of("id", "42"))).isEqualTo("joined:42");
	}

	@Test
	void hashCodesThatDifferBetweenJvmsAreRefused() {
		for (Object key : List.of(new Plain(), Thread.State.NEW, new Own(new byte[1], Set.of()),
				List.of(new Plain()))) {
			refused(() -> this.keys.hashCode(key), "A part of the key is the hash code of a ");
			refused(() -> this.keys.hash("a", key), "A part of the key is the hash code of a ");
		}
		assertThat(this.keys.hashCode("a")).isEqualTo("joined:97");
		assertThat(this.keys.hash("a", 42L)).isEqualTo("joined:" + Objects.hash("a", 42L));
	}

	@Test
	void hashesOfContentAreKeys() {
		assertThat(this.keys.ownHash(new Plain())).isEqualTo("joined:7");
		assertThat(this.keys.hashOfElements(new byte[] { 1 })).isEqualTo("joined:32");
		assertThat(this.keys.hashOfElements(new String[] { "a" })).isEqualTo("joined:128");
		refused(() -> this.keys.hashOfElements(new Object[] { new Plain() }),
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

	@ParameterizedTest
	@ValueSource(strings = { "joe@cafe", "Anna.Schmidt@deutsche.example", "a.b@c0de.example", "shop.order@7", "[x]@1f",
			"io.quorlock@1" })
	void addressesAreKeys(String key) {
		assertThat(LockRequest.of("mail").key(key).names()).hasSize(1);
	}

	private void refuses(Object key, String message) {
		refused(() -> this.keys.one(key), message);
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

	static class Keys {

		@DistributedLock(name = "joined", key = "T(io.quorlock.aop.KeyTextTests).own(#customer)")
		public String own(Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "#tenant + #customer")
		public String pair(Object tenant, String customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "new StringBuilder().append(#customer)")
		public String append(Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "new java.text.SimpleDateFormat('yyyy').format(#customer)")
		public String year(Date customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "#customer.hashCode()")
		public String hashCode(Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "T(java.util.Objects).hash(#tenant, #customer)")
		public String hash(String tenant, Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "T(io.quorlock.aop.KeyTextTests).hash(#customer)")
		public String ownHash(Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "T(java.util.Arrays).hashCode(#elements)")
		public String hashOfElements(Object elements) {
			return name();
		}

		@DistributedLock(name = "upload", key = "#upload")
		public String one(Object upload) {
			return name();
		}

		@DistributedLock(name = "joined", key = "#tenant + '/' + #customer")
		public String joined(String tenant, Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "'' + #customer")
		public String empty(Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "#customer.toString() + '/'")
		public String text(Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "T(String).valueOf(#customer)")
		public String valueOf(Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "T(String).format('%s', #customer)")
		public String format(Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "'a'.concat(#customer)")
		public String concat(Object customer) {
			return name();
		}

		@DistributedLock(name = "joined", key = "T(String).join(',', #customers)")
		public String join(Collection<String> customers) {
			return name();
		}

		@DistributedLock(name = "joined", key = "#customer.get('id')")
		public String get(Map<String, String> customer) {
			return name();
		}

		@DistributedLock(name = "several", key = "{#list}")
		public String several(List<?> list) {
			return name();
		}

		private static String name() {
			return LockContext.current().map(LockHandle::name).orElseThrow();
		}

	}

}
