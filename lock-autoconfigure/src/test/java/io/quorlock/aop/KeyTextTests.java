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

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

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
class KeyTextTests {

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
		refused(() -> this.keys.text(new Plain()), "identity of a " + Plain.class.getName());
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

	@ParameterizedTest
	@ValueSource(strings = { "joe@cafe", "a.b@c0de.example", "shop.order@7", "[x]@1f", "io.quorlock@1" })
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

	static class Plain {

	}

	static class Keys {

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

		@DistributedLock(name = "several", key = "{#list}")
		public String several(List<?> list) {
			return name();
		}

		private static String name() {
			return LockContext.current().map(LockHandle::name).orElseThrow();
		}

	}

}
