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

import java.util.List;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ProxyType;
import org.springframework.context.annotation.Proxyable;
import org.springframework.context.annotation.Scope;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.aop.declaration.LockDeclaration;
import io.quorlock.aop.declaration.PackagePrivateTask;
import io.quorlock.aop.declaration.ProtectedTask;

import static io.quorlock.aop.DeclarationAssert.assertThatStartFails;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GuardAdvisor}: which methods a proxy intercepts.
 */
class GuardAdvisorTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class);

	@ParameterizedTest
	@ValueSource(classes = { PrivateMethod.class, PrivateMethodOfSuperclass.class })
	void refusesPrivateMethods(Class<?> beanClass) {
		assertThatStartFails(beanClass, "locked", null, "the method is private, so a proxy cannot intercept it",
				"Make the method public and call it from another bean, or use LockTemplate");
	}

	@ParameterizedTest
	@ValueSource(classes = { StaticMethod.class, StaticMethodOfInterface.class })
	void refusesStaticMethods(Class<?> beanClass) {
		assertThatStartFails(beanClass, "locked", null, "the method is static, so a proxy cannot intercept it",
				"Make it a public method of the bean that is not static, or use LockTemplate");
	}

	@ParameterizedTest
	@ValueSource(classes = { FinalMethod.class, FinalMethodOfLockedClass.class, FinalMethodOfACloseable.class,
			FinalMethodProxiedByClass.class })
	void refusesFinalMethodsWhereClassesAreProxied(Class<?> beanClass) {
		assertThatStartFails(beanClass, "locked", null, "the method is final, so a proxy cannot intercept it",
				"Remove final (in Kotlin: add open), or use LockTemplate");
	}

	@Test
	void refusesFinalClassesWhereClassesAreProxied() {
		assertThatStartFails(FinalClass.class, "locked", null, "the class is final, so it cannot have a proxy",
				"Remove final (in Kotlin: use the plugin kotlin-spring), let the class implement an interface");
	}

	@Test
	void refusesPackagePrivateMethodsOfAnotherPackage() {
		assertThatStartFails(MethodOfAnotherPackage.class, "locked", null,
				"the method is package-private and MethodOfAnotherPackage is in another package",
				"Make the method public or protected, or use LockTemplate");
	}

	@Test
	void protectedMethodOfAnotherPackageIsNoMistake() {
		assertThat(LockDeclaration.methods(DistributedLock.class, ProtectedOfAnotherPackage.class)).hasSize(1);
		this.contextRunner.withBean(ProtectedOfAnotherPackage.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void privateAndStaticHelpersOfALockedClassAreNoMistake() {
		this.contextRunner.withBean(Helpers.class).run((context) -> {
			context.getBean(Helpers.class).locked();
			assertThat(context.getBean(FakeLockTemplate.class).events()).containsExactly(
					"lock " + Helpers.class.getName() + ".locked", "unlock " + Helpers.class.getName() + ".locked");
		});
	}

	@Test
	void finalMethodBehindAnInterfaceProxyIsLocked() {
		this.contextRunner.withBean("task", Task.class, FinalMethodWithInterface::new).run((context) -> {
			context.getBean(Task.class).locked();
			assertThat(context.getBean(FakeLockTemplate.class).events()).hasSize(2);
		});
	}

	@Test
	void finalClassWithInterfaceIsRefusedOnlyWhereClassesAreProxied() {
		this.contextRunner.withBean("task", Task.class, FinalClassWithInterface::new).run((context) -> {
			context.getBean(Task.class).locked();
			assertThat(context.getBean(FakeLockTemplate.class).events()).hasSize(2);
		});
		this.contextRunner.withUserConfiguration(ClassProxies.class)
			.withBean("task", Task.class, FinalClassWithInterface::new)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidLockDeclarationException.class)
				.hasMessageContaining("the class is final"));
	}

	@ParameterizedTest
	@ValueSource(classes = { FinalClassProxiedByInterface.class, FinalClassProxiedByThatInterface.class })
	void finalClassThatAsksForAnInterfaceProxyIsLocked(Class<?> beanClass) {
		this.contextRunner.withUserConfiguration(ClassProxies.class).withBean(beanClass).run((context) -> {
			context.getBean(Task.class).locked();
			assertThat(context.getBean(FakeLockTemplate.class).events()).hasSize(2);
		});
	}

	/** The class of a lambda has another name in every JVM. */
	@Test
	void lambdaIsLockedByTheNameOfItsInterface() {
		for (ApplicationContextRunner runner : List.of(this.contextRunner,
				this.contextRunner.withUserConfiguration(ClassProxies.class))) {
			runner.withBean("task", Task.class, () -> () -> {
			}).withBean("job", Job.class, () -> (id) -> {
			}).run((context) -> {
				context.getBean(Task.class).locked();
				context.getBean(Job.class).run(42);
				assertThat(context.getBean(FakeLockTemplate.class).events()).containsExactly(
						"lock " + Task.class.getName() + ".locked", "unlock " + Task.class.getName() + ".locked",
						"lock job:42", "unlock job:42");
			});
		}
	}

	@Test
	void refusesMethodsThatSpringCallsOnTheBeanItself() {
		assertThatStartFails(InitMethod.class, "locked", null, "@PostConstruct", "Remove the annotation");
		assertThatStartFails(DestroyMethod.class, "locked", null, "@PreDestroy", "Remove the annotation");
		assertThatStartFails(BeanMethod.class, "locked", null, "a @Bean method runs once, to create the bean",
				"Put the annotation on methods of the class that it returns, or use LockTemplate");
		assertThatStartFails(StaticBeanMethod.class, "locked", null, "a @Bean method runs once", "Put the annotation");
		assertThatStartFails(Initializing.class, "afterPropertiesSet", null, "the method of InitializingBean",
				"Remove the annotation");
		assertThatStartFails(Disposable.class, "destroy", null, "the method of DisposableBean",
				"Remove the annotation");
		assertThatStartFails(ContextAware.class, "setApplicationContext", null, "the method of ApplicationContextAware",
				"Remove the annotation");
		assertThatStartFails(Injected.class, "locked", null, "Spring calls a @Autowired method",
				"Remove the annotation");
		assertThatStartFails(Resourceful.class, "locked", null, "Spring calls a @Resource method",
				"Remove the annotation");
		assertThatStartFails(Closing.class, "close", null, "the init or destroy method of a bean",
				"set destroyMethod = \"\" in @Bean");
	}

	@Test
	void refusesTheInitAndDestroyMethodsOfADefinition() {
		for (Class<?> configuration : List.of(InitByDefinition.class, ShutdownByInference.class,
				DestroyByDefinition.class)) {
			this.contextRunner.withUserConfiguration(configuration)
				.run((context) -> assertThat(context).getFailure()
					.isInstanceOf(InvalidLockDeclarationException.class)
					.hasMessageContaining("Spring calls the init or destroy method of a bean on the bean itself"));
		}
		this.contextRunner.withUserConfiguration(CalledByTheApplication.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(classes = { LockedClassWithInitMethod.class, DestroysWhatItIsTold.class, DestroyOfItsOwn.class,
			InitializesWhatItIsTold.class })
	void methodsThatOnlyLookLikeThoseAreNoMistake(Class<?> beanClass) {
		assertThat(LockDeclaration.methods(DistributedLock.class, beanClass)).isNotEmpty();
		this.contextRunner.withBean(beanClass).run((context) -> assertThat(context).hasNotFailed());
	}

	static class ProtectedOfAnotherPackage extends ProtectedTask {

	}

	static class MethodOfAnotherPackage extends PackagePrivateTask {

	}

	static class FinalMethodOfACloseable implements AutoCloseable {

		@DistributedLock
		public final void locked() {
		}

		@Override
		public void close() {
		}

	}

	@Proxyable(ProxyType.TARGET_CLASS)
	static class FinalMethodProxiedByClass implements Task {

		@Override
		@DistributedLock
		public final void locked() {
		}

	}

	interface Job {

		@DistributedLock(name = "job", key = "#id")
		void run(int id);

	}

	@Proxyable(interfaces = Task.class)
	static final class FinalClassProxiedByThatInterface implements Task {

		@Override
		@DistributedLock
		public void locked() {
		}

	}

	@Proxyable(ProxyType.INTERFACES)
	static final class FinalClassProxiedByInterface implements Task {

		@Override
		@DistributedLock
		public void locked() {
		}

	}

	static class PrivateMethod {

		@DistributedLock
		private void locked() {
		}

	}

	static class StaticMethod {

		@DistributedLock
		static void locked() {
		}

	}

	static class FinalMethod {

		@DistributedLock
		public final void locked() {
		}

	}

	static final class FinalClass {

		@DistributedLock
		public void locked() {
		}

	}

	@DistributedLock
	static class FinalMethodOfLockedClass {

		public final void locked() {
		}

	}

	static class PrivateMethodOfSuperclass extends PrivateMethod {

	}

	interface WithStaticMethod {

		@DistributedLock
		static void locked() {
		}

	}

	static class StaticMethodOfInterface implements WithStaticMethod {

	}

	@DistributedLock
	static class Helpers {

		public void locked() {
			help();
			assist();
		}

		private void help() {
		}

		public static void assist() {
		}

	}

	interface Task {

		@DistributedLock
		void locked();

	}

	static class FinalMethodWithInterface implements Task {

		@Override
		public final void locked() {
		}

	}

	static final class FinalClassWithInterface implements Task {

		@Override
		public void locked() {
		}

	}

	static class ContextAware implements ApplicationContextAware {

		@Override
		@DistributedLock
		public void setApplicationContext(ApplicationContext context) {
		}

	}

	static class Injected {

		@Autowired
		@DistributedLock
		public void locked(ApplicationContext context) {
		}

	}

	static class Resourceful {

		@Resource(name = "lockTemplate")
		@DistributedLock
		public void locked(FakeLockTemplate template) {
		}

	}

	static class Closing implements AutoCloseable {

		@Override
		@DistributedLock
		public void close() {
		}

	}

	static class Steps {

		@DistributedLock("begin")
		public void begin() {
		}

		public void run() {
		}

	}

	static class Service {

		@DistributedLock("shutdown")
		public void shutdown() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InitByDefinition {

		@Bean(initMethod = "begin")
		Steps steps() {
			return new Steps();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DestroyByDefinition {

		@Bean(destroyMethod = "begin")
		Steps steps() {
			return new Steps();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ShutdownByInference {

		@Bean
		Service service() {
			return new Service();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CalledByTheApplication {

		@Bean(initMethod = "run")
		Steps steps() {
			return new Steps();
		}

		@Bean(destroyMethod = "")
		Service service() {
			return new Service();
		}

		@Bean
		@Scope("prototype")
		Closing closing() {
			return new Closing();
		}

	}

	static class InitMethod {

		@PostConstruct
		@DistributedLock
		public void locked() {
		}

	}

	static class Initializing implements InitializingBean {

		@DistributedLock
		@Override
		public void afterPropertiesSet() {
		}

	}

	static class Disposable implements DisposableBean {

		@DistributedLock
		@Override
		public void destroy() {
		}

	}

	static class InitializesWhatItIsTold implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
		}

		@DistributedLock
		public void afterPropertiesSet(String what) {
		}

	}

	static class DestroysWhatItIsTold implements DisposableBean {

		@Override
		public void destroy() {
		}

		@DistributedLock
		public void destroy(String what) {
		}

	}

	static class DestroyOfItsOwn {

		@DistributedLock
		public void destroy() {
		}

	}

	static class DestroyMethod {

		@PreDestroy
		@DistributedLock
		public void locked() {
		}

	}

	@Configuration
	static class StaticBeanMethod {

		@Bean
		@DistributedLock
		public static String locked() {
			return "bean";
		}

	}

	static class BeanMethod {

		@Bean
		@DistributedLock
		public String locked() {
			return "bean";
		}

	}

	@DistributedLock
	static class LockedClassWithInitMethod {

		@PostConstruct
		public void prepare() {
		}

		public void locked() {
		}

	}

}
