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
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;

import static io.quorlock.aop.DeclarationAssert.assertThatStartFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockKeyParser} and {@link LockKeyCheck}.
 */
class LockKeyCheckTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class);

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					badExpression  | no SpEL expression                          | Correct the expression
					badVariable    | #orderID is none of [#orderId, #a0, #p0     | Use one of the variables above, or compile the class with -parameters
					noHashSign     | did you mean `#orderId`?                    | Write key = "#orderId".
					ofProperty     | did you mean `#order.id`?                   | Write key = "#order.id".
					inside         | did you mean `#second`?                     | Write #second in its place
					inArgument     | did you mean `#suffix`?                     | Write #suffix in its place
					property       | An expression sees [#orderId, #a0           | Write one of the variables above
					method         | shop is neither a variable nor a property of #root | Write one of the variables above
					blank          | it is blank                                 | Remove the attribute
					map            | it is a Map                                 | Use an entry that identifies the lock
					mapByIndex     | it is a Map                                 | Use an entry that identifies the lock
					inlineMap      | it is a Map                                 | Use an entry that identifies the lock
					bytes          | it is a byte[], each of whose elements      | Use its text: key = "T(java.util.HexFormat).of().formatHex(#id)"
					characters     | it is a char[], each of whose elements      | Use its text: key = "T(String).valueOf(#a0)"
					""")
	void refusesExpression(String method, String reason, String remedy) {
		assertThatExceptionOfType(InvalidLockDeclarationException.class)
			.isThrownBy(() -> parse(RefusedExpressions.class, method))
			.satisfies((invalid) -> {
				assertThat(invalid.getAttribute()).isEqualTo("key");
				assertThat(invalid.getReason()).contains(reason);
				assertThat(invalid.getAction()).contains(remedy).endsWith(".");
			});
	}

	@Test
	void namesInsideProjectionsAndAfterDotsAreThoseOfTheirObjects() {
		this.contextRunner.withBean(Valid.class).run((context) -> {
			Valid bean = context.getBean(Valid.class);
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			bean.projection(List.of(new Order(2), new Order(1)));
			assertThat(locks.lastRequest().names()).containsExactly("order:1", "order:2");
			bean.selection(List.of(new Order(2), new Order(1)));
			assertThat(locks.lastRequest().names()).containsExactly("order:2");
			bean.root(7);
			assertThat(locks.lastRequest().names()).containsExactly("order:root7");
			bean.getters(7);
			assertThat(locks.lastRequest().names()).containsExactly("order:getters shop 7");
			bean.arguments(List.of(new Order(2), new Order(1)));
			assertThat(locks.lastRequest().names()).containsExactly("order:1", "order:2");
			bean.entry(Map.of("id", 5));
			assertThat(locks.lastRequest().names()).containsExactly("order:5");
			bean.text(new byte[] { 1, -1 });
			assertThat(locks.lastRequest().names()).containsExactly("order:01ff");
			bean.characters(new char[] { '4', '2' });
			assertThat(locks.lastRequest().names()).containsExactly("order:42");
		});
	}

	@Test
	void severalValuesAreJoinedIntoOneNameOrLockedTogether() {
		this.contextRunner.withBean(Valid.class).run((context) -> {
			Valid bean = context.getBean(Valid.class);
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			bean.joined("berlin", 42);
			assertThat(locks.lastRequest().names()).containsExactly("order:berlin%3A42");
			bean.together("b", "a");
			assertThat(locks.lastRequest().names()).containsExactly("order:a", "order:b");
		});
	}

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
	void refusesTypeWithoutAText(String method, String reason) {
		assertThatExceptionOfType(InvalidLockDeclarationException.class)
			.isThrownBy(() -> parse(RefusedTypes.class, method))
			.satisfies((ex) -> assertThat(ex.getReason()).startsWith(reason));
	}

	@Test
	void allowsWhatHasATextOrIsLookedAtWhenItIsCalled() {
		assertThat(AllowedTypes.class.getDeclaredMethods()).isNotEmpty()
			.allSatisfy((method) -> assertThat(parse(AllowedTypes.class, method.getName())).isNotNull());
	}

	private static LockKey parse(Class<?> type, String name) {
		return Arrays.stream(type.getDeclaredMethods())
			.filter((method) -> method.getName().equals(name) || method.getName().equals(name + "Key"))
			.map((method) -> new LockKeyParser(new DefaultListableBeanFactory()).parse(
					method.getAnnotation(DistributedLock.class).key(),
					new LockDeclaration(DistributedLock.class, method, type), null))
			.findFirst()
			.orElseThrow();
	}

	interface RefusedExpressions {

		@DistributedLock(key = "#id +")
		void badExpression(int id);

		@DistributedLock(key = "'x' + #orderID")
		void badVariable(int orderId);

		@DistributedLock(key = "orderId")
		void noHashSign(int orderId);

		@DistributedLock(key = "order.id")
		void ofProperty(Order order);

		@DistributedLock(key = "#first + ':' + second")
		void inside(int first, int second);

		@DistributedLock(key = "#text.concat(suffix)")
		void inArgument(String text, String suffix);

		@DistributedLock(key = "id")
		void property(int orderId);

		@DistributedLock(key = "shop() + #orderId")
		void method(int orderId);

		@DistributedLock(key = " ")
		void blank();

		@DistributedLock(key = "#order")
		void map(Map<String, Object> order);

		@DistributedLock(key = "#p0")
		void mapByIndex(Map<String, Object> order);

		@DistributedLock(key = "{id: #orderId}")
		void inlineMap(int orderId);

		@DistributedLock(key = "#id")
		void bytes(byte[] id);

		@DistributedLock(key = "#a0")
		void characters(char[] id);

	}

	record Order(int id) {

	}

	static class Valid {

		@DistributedLock(name = "order", key = "T(String).valueOf(#id)")
		public void characters(char[] id) {
		}

		@DistributedLock(name = "order", key = "T(java.util.HexFormat).of().formatHex(#id)")
		public void text(byte[] id) {
		}

		@DistributedLock(name = "order", key = "#orders.![id]")
		public void projection(List<Order> orders) {
		}

		@DistributedLock(name = "order", key = "#orders.?[id > 1].![id]")
		public void selection(List<Order> orders) {
		}

		@DistributedLock(name = "order", key = "method.name + args[0] + getArgs()[0].toString().substring(1)")
		public void root(int orderId) {
		}

		@DistributedLock(name = "order", key = "getMethod().name + getTarget().shop() + target.separator() + args[0]")
		public void getters(int orderId) {
		}

		@DistributedLock(name = "order", key = "#orders.![T(String).valueOf(id)]")
		public void arguments(List<Order> orders) {
		}

		public String shop() {
			return " shop";
		}

		public String separator() {
			return " ";
		}

		@DistributedLock(name = "order", key = "#order[id]")
		public void entry(Map<String, Object> order) {
		}

		@DistributedLock(name = "order", key = "#shop + ':' + #orderId")
		public void joined(String shop, int orderId) {
		}

		@DistributedLock(name = "order", key = "{#first, #second}")
		public void together(String first, String second) {
		}

	}

	record Upload(String name, byte[] sha) {
	}

	record Shipment(int id, Upload upload) {
	}

	record Box<T>(T value) {
	}

	record Tags(HashSet<String> all) {
	}

	record Ordered(TreeSet<String> all) {
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

	interface RefusedTypes {

		@DistributedLock(key = "#upload")
		void recordKey(Upload upload);

		@DistributedLock(key = "#a0")
		void index(Upload upload);

		@DistributedLock(key = "#order")
		void nested(Shipment order);

		@DistributedLock(key = "#order.upload")
		void property(Shipment order);

		@DistributedLock(key = "#order.upload()")
		void method(Shipment order);

		@DistributedLock(key = "#holder.plain")
		void getter(Holder holder);

		@DistributedLock(key = "#plain")
		void plain(Plain plain);

		@DistributedLock(key = "#a + '/' + #plain")
		void joined(String a, Plain plain);

		@DistributedLock(key = "'' + #order.upload")
		void joinedPath(Shipment order);

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

	interface AllowedTypes {

		@DistributedLock(key = "#own + '/' + #named")
		void own(Own own, Named named);

		@DistributedLock(key = "#open")
		void open(Open open);

		@DistributedLock(key = "#ordered")
		void treeSet(Ordered ordered);

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
