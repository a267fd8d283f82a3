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

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.LockKeyGenerator;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.ClassProxies;
import io.quorlock.aop.FakeLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockDeclaration}: where the annotation is found, with proxies of both
 * kinds.
 */
class LockDeclarationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class);

	private final ApplicationContextRunner classProxies = this.contextRunner.withUserConfiguration(ClassProxies.class);

	@Test
	void methodIsDescribedWithTheSimpleNamesOfItsParameterTypes() throws NoSuchMethodException {
		assertThat(new LockDeclaration(DistributedLock.class, List.class.getMethod("add", int.class, Object.class),
				String.class)
			.location()).isEqualTo("java.lang.String.add(int, Object)");
	}

	@Test
	void annotationOnAnInterfaceMethodIsFoundBehindBothKindsOfProxies() {
		for (ApplicationContextRunner runner : List.of(this.contextRunner, this.classProxies)) {
			runner.withBean("service", Service.class, ServiceImplementation::new).run((context) -> {
				Service service = context.getBean(Service.class);
				assertThat(AopUtils.isCglibProxy(service)).isEqualTo(runner == this.classProxies);
				service.onInterface(5);
				assertThat(lastNames(context.getBean(FakeLockTemplate.class))).containsExactly("interface:5");
			});
		}
	}

	@Test
	void annotationOnTheImplementationIsFoundBehindBothKindsOfProxies() {
		for (ApplicationContextRunner runner : List.of(this.contextRunner, this.classProxies)) {
			runner.withBean("service", Service.class, ServiceImplementation::new).run((context) -> {
				context.getBean(Service.class).onImplementation();
				assertThat(lastNames(context.getBean(FakeLockTemplate.class))).containsExactly("implementation");
			});
		}
	}

	@Test
	void methodWinsOverItsClass() {
		this.contextRunner.withBean(Annotated.class).run((context) -> {
			Annotated bean = context.getBean(Annotated.class);
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			bean.plain();
			assertThat(lastNames(locks)).containsExactly("class");
			bean.special();
			assertThat(lastNames(locks)).containsExactly("method");
		});
	}

	@Test
	void annotationOfAClassIsForItsPublicMethodsAndNotForThoseOfObject() {
		this.contextRunner.withBean(Annotated.class).run((context) -> {
			Annotated bean = context.getBean(Annotated.class);
			bean.notPublic();
			assertThat(bean.toString()).isEqualTo("annotated");
			assertThat(bean).hasSameHashCodeAs(bean);
			assertThat(context.getBean(FakeLockTemplate.class).requests()).isEmpty();
		});
	}

	@Test
	void subclassInheritsAndReplacesTheAnnotationOfItsSuperclass() {
		this.contextRunner.withBean(Inheriting.class).withBean(Replacing.class).run((context) -> {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			context.getBean(Inheriting.class).plain();
			assertThat(lastNames(locks)).containsExactly("class");
			context.getBean(Inheriting.class).special();
			assertThat(lastNames(locks)).containsExactly("method");
			context.getBean(Replacing.class).plain();
			assertThat(lastNames(locks)).containsExactly("replaced");
			context.getBean(Replacing.class).special();
			assertThat(lastNames(locks)).containsExactly("replaced method");
		});
	}

	@Test
	void defaultNameIsThatOfTheBeansOwnClass() {
		this.contextRunner.withBean("a", FirstTask.class).withBean("b", SecondTask.class).run((context) -> {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			context.getBean(FirstTask.class).run();
			assertThat(lastNames(locks)).containsExactly(FirstTask.class.getName() + ".run");
			context.getBean(SecondTask.class).run();
			assertThat(lastNames(locks)).containsExactly(SecondTask.class.getName() + ".run");
		});
	}

	@Test
	void genericMethodIsLockedOnceAndItsParametersAreKnown() {
		this.contextRunner.withBean("handler", Handler.class, StringHandler::new).run((context) -> {
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			@SuppressWarnings("unchecked")
			Handler<String> handler = context.getBean(Handler.class);
			handler.handle("x");
			assertThat(locks.requests()).hasSize(1);
			assertThat(lastNames(locks)).containsExactly("handler:x");
		});
	}

	@Test
	void methodWithoutAnnotationIsNotLocked() {
		this.contextRunner.withBean(Plain.class)
			.run((context) -> assertThat(AopUtils.isAopProxy(context.getBean(Plain.class))).isFalse());
	}

	@Test
	void proxyIsMadeAlsoBesideTransactionManagement() {
		this.contextRunner.withUserConfiguration(Transactions.class).withBean(Annotated.class).run((context) -> {
			context.getBean(Annotated.class).plain();
			assertThat(context.getBean(FakeLockTemplate.class).requests()).hasSize(1);
		});
	}

	@Test
	void generatorIsAskedOnlyWhereNeitherNameNorKeyIsGiven() {
		this.contextRunner.withBean(LockKeyGenerator.class, () -> (target, method, arguments) -> arguments[0])
			.withBean(Generated.class)
			.run((context) -> {
				Generated bean = context.getBean(Generated.class);
				FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
				bean.bare("x");
				assertThat(lastNames(locks)).containsExactly(Generated.class.getName() + ".bare:x");
				bean.bare(List.of("b", "a"));
				assertThat(lastNames(locks)).containsExactly(Generated.class.getName() + ".bare:a",
						Generated.class.getName() + ".bare:b");
				bean.named("x");
				assertThat(lastNames(locks)).containsExactly("named");
				bean.keyed("x");
				assertThat(lastNames(locks)).containsExactly(Generated.class.getName() + ".keyed:key x");
				assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> bean.bare(null))
					.withMessageContaining(Generated.class.getName() + ".bare");
			});
	}

	private static List<String> lastNames(FakeLockTemplate locks) {
		LockRequest request = locks.lastRequest();
		return request.names();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

	}

	interface Service {

		@DistributedLock(name = "interface", key = "#id")
		void onInterface(int id);

		void onImplementation();

	}

	static class ServiceImplementation implements Service {

		@Override
		public void onInterface(int id) {
		}

		@Override
		@DistributedLock("implementation")
		public void onImplementation() {
		}

	}

	@DistributedLock("class")
	static class Annotated {

		public void plain() {
		}

		@DistributedLock("method")
		public void special() {
		}

		void notPublic() {
		}

		@Override
		public String toString() {
			return "annotated";
		}

	}

	static class Inheriting extends Annotated {

	}

	@DistributedLock("replaced")
	static class Replacing extends Annotated {

		@Override
		@DistributedLock("replaced method")
		public void special() {
		}

	}

	static class Task {

		@DistributedLock
		public void run() {
		}

	}

	static class FirstTask extends Task {

	}

	static class SecondTask extends Task {

		@Override
		public void run() {
			super.run();
		}

	}

	interface Handler<T> {

		void handle(T value);

	}

	static class StringHandler implements Handler<String> {

		@Override
		@DistributedLock(name = "handler", key = "#value")
		public void handle(String value) {
		}

	}

	static class Plain {

		public void run() {
		}

	}

	static class Generated {

		@DistributedLock
		public void bare(@Nullable Object id) {
		}

		@DistributedLock("named")
		public void named(Object id) {
		}

		@DistributedLock(key = "'key ' + #id")
		public void keyed(Object id) {
		}

	}

}
