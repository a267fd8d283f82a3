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

package io.quorlock.aop.declaration;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.quorlock.annotation.DistributedLock;

import static io.quorlock.aop.declaration.DeclarationAssert.assertThatStartFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the types in {@link LockKeyCheck}.
 */
class LockKeyTypesTests {

	@Test
	void keyWhoseTextIsNotItsValuePreventsTheStart() {
		assertThatStartFails(Bean.class, "locked(Upload)", "key", "#upload.sha is a byte[], whose text is not that",
				"Use what identifies it, such as its id");
	}

	@ParameterizedTest
	@CsvSource({ "record, #upload.sha is a byte[]", "index, #a0.sha is a byte[]",
			"nested, #order.upload.sha is a byte[]", "property, #order.upload.sha is a byte[]",
			"method, #order.upload().sha is a byte[]", "getter, #holder.plain is a ", "plain, #plain is a ",
			"joined, #plain is a ", "joinedPath, #order.upload.sha is", "joinedInside, #plain is a ",
			"elements, #uploads[].sha is a byte[]", "array, #uploads[].sha is a byte[]", "arrays, #list[] is a byte[]",
			"listOfLists, #list[] is a byte[]", "inlineList, #list[] is a byte[]", "optional, #upload.sha is a byte[]",
			"generic, #box.value is a byte[]", "genericProperty, #box.value.sha is a byte[]",
			"indexer, #uploads[0].sha is a byte[]", "projection, '#uploads.![sha][] is a byte[]'",
			"selection, '#uploads.?[(name != null)][].sha is a byte[]'", "ternary, #upload.sha is a byte[]",
			"elvis, #upload.sha is a byte[]", "hashSet, #tags.all is a HashSet, whose text depends",
			"map, #labels.all is a LinkedHashMap", "values, '#box.value[] is a byte[]'",
			"keys, #box.value (a key of it) is a " })
	void refuses(String method, String reason) {
		assertThatExceptionOfType(InvalidLockDeclarationException.class).isThrownBy(() -> parse(Refused.class, method))
			.satisfies((ex) -> assertThat(ex.getReason()).startsWith(reason));
	}

	@Test
	void allowsWhatHasATextOrIsLookedAtWhenItIsCalled() {
		assertThat(Allowed.class.getDeclaredMethods()).isNotEmpty()
			.allSatisfy((method) -> assertThat(parse(Allowed.class, method.getName())).isNotNull());
	}

	private static LockKey parse(Class<?> type, String name) {
		return Arrays.stream(type.getDeclaredMethods())
			.filter((method) -> method.getName().equals(name) || method.getName().equals(name + "Key"))
			.map((method) -> new LockKeyParser(new DefaultListableBeanFactory())
				.parse(method.getAnnotation(DistributedLock.class).key(), method, "location", null))
			.findFirst()
			.orElseThrow();
	}

	record Upload(String name, byte[] sha) {
	}

	record Order(int id, Upload upload) {
	}

	record Box<T>(T value) {
	}

	record Tags(HashSet<String> all) {
	}

	record Labels(LinkedHashMap<String, String> all) {
	}

	record Own(byte[] sha) {

		@Override
		public String toString() {
			return "own";
		}

	}

	record Open(Object any, Set<String> tags, Map<String, Integer> counts, SortedSet<String> sorted, Runnable task) {
	}

	record Node(String name, List<Node> children) {
	}

	static class Plain {

	}

	abstract static class Base {

	}

	static class Named {

		@Override
		public String toString() {
			return "named";
		}

	}

	static class Holder {

		public Plain getPlain() {
			return new Plain();
		}

		public String getName() {
			return "a";
		}

	}

	static class Bean {

		@DistributedLock(name = "a", key = "#upload")
		public void locked(Upload upload) {
		}

	}

	interface Refused {

		@DistributedLock(key = "#upload")
		void recordKey(Upload upload);

		@DistributedLock(key = "#a0")
		void index(Upload upload);

		@DistributedLock(key = "#order")
		void nested(Order order);

		@DistributedLock(key = "#order.upload")
		void property(Order order);

		@DistributedLock(key = "#order.upload()")
		void method(Order order);

		@DistributedLock(key = "#holder.plain")
		void getter(Holder holder);

		@DistributedLock(key = "#plain")
		void plain(Plain plain);

		@DistributedLock(key = "#a + '/' + #plain")
		void joined(String a, Plain plain);

		@DistributedLock(key = "'' + #order.upload")
		void joinedPath(Order order);

		@DistributedLock(key = "('a' + #plain).trim()")
		void joinedInside(Plain plain);

		@DistributedLock(key = "#uploads")
		void elements(List<Upload> uploads);

		@DistributedLock(key = "#uploads")
		void array(Upload[] uploads);

		@DistributedLock(key = "#list")
		void arrays(List<byte[]> list);

		@DistributedLock(key = "{#list}")
		void listOfLists(List<byte[]> list);

		@DistributedLock(key = "{'a', #list}")
		void inlineList(List<byte[]> list);

		@DistributedLock(key = "#upload")
		void optional(Optional<Upload> upload);

		@DistributedLock(key = "#box")
		void generic(Box<byte[]> box);

		@DistributedLock(key = "#box.value")
		void genericProperty(Box<Upload> box);

		@DistributedLock(key = "#uploads[0]")
		void indexer(List<Upload> uploads);

		@DistributedLock(key = "#uploads.![sha]")
		void projection(List<Upload> uploads);

		@DistributedLock(key = "#uploads.?[name != null]")
		void selection(List<Upload> uploads);

		@DistributedLock(key = "#a ? 'b' : #upload")
		void ternary(boolean a, Upload upload);

		@DistributedLock(key = "#upload ?: 'none'")
		void elvis(Upload upload);

		@DistributedLock(key = "#tags")
		void hashSet(Tags tags);

		@DistributedLock(key = "#labels")
		void map(Labels labels);

		@DistributedLock(key = "#box")
		void values(Box<Map<String, byte[]>> box);

		@DistributedLock(key = "#box")
		void keys(Box<Map<Plain, String>> box);

	}

	interface Allowed {

		@DistributedLock(key = "#own + '/' + #named")
		void own(Own own, Named named);

		@DistributedLock(key = "#open")
		void open(Open open);

		@DistributedLock(key = "#base + '' + #any + #task")
		void unknown(Base base, Object any, Runnable task);

		@DistributedLock(key = "#node")
		void recursive(Node node);

		@DistributedLock(key = "#uploads.![name]")
		void projection(List<Upload> uploads);

		@DistributedLock(key = "#upload.name + T(java.util.HexFormat).of().formatHex(#upload.sha)")
		void parts(Upload upload);

		@DistributedLock(key = "#upload.sha.length + 1")
		void number(Upload upload);

		@DistributedLock(key = "#holder.name")
		void property(Holder holder);

		@DistributedLock(key = "#box")
		<T> void generic(Box<T> box);

		@DistributedLock(key = "#list")
		void wildcard(List<?> list);

		@DistributedLock(key = "#ids")
		void primitives(int[] ids);

		@DistributedLock(key = "#ids")
		void set(HashSet<Long> ids);

	}

}
