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

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;

import static io.quorlock.aop.declaration.DeclarationAssert.assertThatStartFails;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockKeyParser} and {@link LockKeyCheck}.
 */
class LockKeyCheckTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class);

	@Test
	void refusesKeyThatIsNoExpression() {
		assertThatStartFails(BadExpression.class, "locked", "key", "no SpEL expression", "Correct the expression");
	}

	@Test
	void refusesKeyWithUnknownVariable() {
		assertThatStartFails(BadVariable.class, "locked(int)", "key", "#orderID is none of [#orderId, #a0, #p0",
				"Use one of the variables above, or compile the class with -parameters");
	}

	@Test
	void refusesArgumentWithoutItsHashSign() {
		assertThatStartFails(NoHashSign.class, "locked(int)", "key", "did you mean `#orderId`?",
				"Write key = \"#orderId\".");
		assertThatStartFails(NoHashSignOfProperty.class, "locked(Order)", "key", "did you mean `#order.id`?",
				"Write key = \"#order.id\".");
		assertThatStartFails(NoHashSignInside.class, "locked(int, int)", "key", "did you mean `#second`?",
				"Write #second in its place");
		assertThatStartFails(NoHashSignInArgument.class, "locked(String, String)", "key", "did you mean `#suffix`?",
				"Write #suffix in its place");
	}

	@Test
	void refusesNameThatNothingHas() {
		assertThatStartFails(UnknownProperty.class, "locked(int)", "key", "An expression sees [#orderId, #a0",
				"Write one of the variables above");
		assertThatStartFails(UnknownMethod.class, "locked(int)", "key",
				"shop is neither a variable nor a property of #root", "Write one of the variables above");
	}

	@Test
	void refusesBlankKey() {
		assertThatStartFails(BlankKey.class, "locked", "key", "it is blank", "Remove the attribute");
	}

	@Test
	void refusesMap() {
		assertThatStartFails(MapArgument.class, "locked(Map)", "key", "it is a Map",
				"Use an entry that identifies the lock");
		assertThatStartFails(MapArgumentByIndex.class, "locked(Map)", "key", "it is a Map",
				"Use an entry that identifies the lock");
		assertThatStartFails(InlineMap.class, "locked(int)", "key", "it is a Map",
				"Use an entry that identifies the lock");
	}

	@Test
	void refusesArraysThatAreOneValue() {
		assertThatStartFails(Bytes.class, "locked(byte[])", "key", "it is a byte[], each of whose elements",
				"Use its text: key = \"T(java.util.HexFormat).of().formatHex(#id)\"");
		assertThatStartFails(Characters.class, "locked(char[])", "key", "it is a char[], each of whose elements",
				"Use its text: key = \"T(String).valueOf(#a0)\"");
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

	static class BadExpression {

		@DistributedLock(name = "order", key = "#id +")
		public void locked(int id) {
		}

	}

	static class BadVariable {

		@DistributedLock(name = "order", key = "'x' + #orderID")
		public void locked(int orderId) {
		}

	}

	record Order(int id) {

	}

	static class NoHashSign {

		@DistributedLock(name = "order", key = "orderId")
		public void locked(int orderId) {
		}

	}

	static class NoHashSignOfProperty {

		@DistributedLock(name = "order", key = "order.id")
		public void locked(Order order) {
		}

	}

	static class NoHashSignInside {

		@DistributedLock(name = "order", key = "#first + ':' + second")
		public void locked(int first, int second) {
		}

	}

	static class NoHashSignInArgument {

		@DistributedLock(name = "order", key = "#text.concat(suffix)")
		public void locked(String text, String suffix) {
		}

	}

	static class UnknownProperty {

		@DistributedLock(name = "order", key = "id")
		public void locked(int orderId) {
		}

	}

	static class UnknownMethod {

		@DistributedLock(name = "order", key = "shop() + #orderId")
		public void locked(int orderId) {
		}

	}

	static class BlankKey {

		@DistributedLock(name = "order", key = " ")
		public void locked() {
		}

	}

	static class MapArgument {

		@DistributedLock(name = "order", key = "#order")
		public void locked(Map<String, Object> order) {
		}

	}

	static class MapArgumentByIndex {

		@DistributedLock(name = "order", key = "#p0")
		public void locked(Map<String, Object> order) {
		}

	}

	static class InlineMap {

		@DistributedLock(name = "order", key = "{id: #orderId}")
		public void locked(int orderId) {
		}

	}

	static class Bytes {

		@DistributedLock(name = "order", key = "#id")
		public void locked(byte[] id) {
		}

	}

	static class Characters {

		@DistributedLock(name = "order", key = "#a0")
		public void locked(char[] id) {
		}

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

}
