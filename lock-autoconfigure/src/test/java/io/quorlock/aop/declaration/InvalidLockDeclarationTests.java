package io.quorlock.aop.declaration;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import io.quorlock.LockException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.LockDeclarationValidator;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;
import io.quorlock.annotation.DistributedLock.OnContention;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.scheduling.annotation.Async;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is refused at start: {@link LockDeclarationValidator},
 * {@link LockSpecificationParser}, {@link ProxyCheck} and {@link FallbackMethodFinder}.
 */
class InvalidLockDeclarationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class)
		.withPropertyValues("wait=soon");

	@ParameterizedTest
	@ValueSource(classes = { PrivateMethod.class, StaticMethod.class, FinalMethod.class, FinalClass.class,
			FinalMethodOfLockedClass.class, PrivateMethodOfSuperclass.class, StaticMethodOfInterface.class })
	void refusesMethodsThatNoProxyCanLock(Class<?> beanClass) {
		assertThatStartFails(beanClass, "locked", null, "proxy");
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
	void refusesSkipOnPrimitiveResult() {
		assertThatStartFails(SkipPrimitive.class, "locked(String)", "onContention", "int");
	}

	@Test
	void refusesSkipTogetherWithFallback() {
		assertThatStartFails(SkipAndFallback.class, "locked", "fallback", "SKIP");
	}

	@Test
	void refusesFallbackThatDoesNotExist() {
		assertThatStartFails(NoFallback.class, "locked", "fallback", "no such method");
	}

	@ParameterizedTest
	@ValueSource(classes = { FallbackParameters.class, FallbackOrder.class, FallbackException.class })
	void refusesFallbackWithOtherParameters(Class<?> beanClass) {
		assertThatStartFails(beanClass, "locked(int)", "fallback", "does not take the same parameters");
	}

	@Test
	void refusesFallbackWithOtherResult() {
		assertThatStartFails(FallbackResult.class, "locked", "fallback", "does not return java.lang.String");
	}

	@Test
	void refusesStaticFallback() {
		assertThatStartFails(FallbackStatic.class, "locked", "fallback", "is static");
	}

	@Test
	void refusesTwoFallbacksThatFit() {
		assertThatStartFails(FallbackTwice.class, "locked", "fallback", "several methods fit");
	}

	@Test
	void refusesDurationThatCannotBeParsed() {
		assertThatStartFails(BadDuration.class, "locked", "waitTime", "'soon' is no duration");
	}

	@Test
	void refusesNegativeAndZeroDurations() {
		assertThatStartFails(NegativeWait.class, "locked", "waitTime", "negative");
		assertThatStartFails(NegativeLease.class, "locked", "leaseTime", "negative");
		assertThatStartFails(ZeroLease.class, "locked", "leaseTime", "positive");
		assertThatStartFails(NegativeHold.class, "locked", "holdAtLeast", "negative");
	}

	@Test
	void refusesLeaseAboveTheMaximum() {
		assertThatStartFails(LongLease.class, "locked", "leaseTime", "distributed-lock.max-lease-time");
	}

	@Test
	void refusesPlaceholderThatCannotBeResolved() {
		assertThatStartFails(BadPlaceholder.class, "locked", "name", "cannot be resolved");
	}

	@Test
	void refusesNameThatCannotBeLocked() {
		assertThatStartFails(BadName.class, "locked", "name", "must not start with '}'");
	}

	@Test
	void refusesKeyThatIsNoExpression() {
		assertThatStartFails(BadExpression.class, "locked", "key", "no SpEL expression");
	}

	@Test
	void refusesKeyWithUnknownVariable() {
		assertThatStartFails(BadVariable.class, "locked(int)", "key", "#orderID is none of [#orderId, #a0, #p0");
	}

	@Test
	void refusesPlainFutureUnlessAsync() {
		assertThatStartFails(PlainFuture.class, "locked", null, "Future");
		this.contextRunner.withBean(AsyncFuture.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void checksLazyBeansWithoutCreatingThem() {
		this.contextRunner.withUserConfiguration(LazyConfiguration.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockDeclarationException.class)
				.hasMessageContaining("LazyBad.locked"));
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

	@Test
	void jdkProxyAsBeanTakesItsNameFromTheInterface() {
		Task product = ProxyFactory.getProxy(Task.class, (MethodInterceptor) (invocation) -> null);
		this.contextRunner.withBean("task", Task.class, () -> product).run((context) -> {
			context.getBean(Task.class).locked();
			assertThat(context.getBean(FakeLockTemplate.class).lastRequest().names())
				.containsExactly(Task.class.getName() + ".locked");
		});
	}

	@Test
	void findsAllLockedMethodsForTheWarningWhenSwitchedOff() {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		new GenericApplicationContext(beanFactory).registerBean(PrivateMethod.class);
		assertThat(LockDeclarationValidator.findLockedMethods(beanFactory))
			.isEqualTo(List.of(PrivateMethod.class.getName() + ".locked()"));
	}

	private void assertThatStartFails(Class<?> beanClass, String method, @Nullable String attribute, String reason) {
		this.contextRunner.withBean(beanClass).run((context) -> {
			assertThat(context).hasFailed();
			Throwable failure = context.getStartupFailure();
			while (failure != null && !(failure instanceof InvalidLockDeclarationException)) {
				failure = failure.getCause();
			}
			assertThat(failure).isInstanceOfSatisfying(InvalidLockDeclarationException.class, (invalid) -> {
				assertThat(invalid.getLocation()).contains("." + method);
				assertThat(invalid.getAttribute()).isEqualTo(attribute);
				assertThat(invalid.getMessage()).contains(reason);
				assertThat(invalid.getReason()).contains(reason);
			});
		});
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

	@Configuration(proxyBeanMethods = false)
	@Import(ClassProxies.Registrar.class)
	static class ClassProxies {

		static class Registrar implements ImportBeanDefinitionRegistrar {

			@Override
			public void registerBeanDefinitions(org.springframework.core.type.AnnotationMetadata metadata,
					BeanDefinitionRegistry registry) {
				AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
				AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
			}

		}

	}

	static class SkipPrimitive {

		@DistributedLock(onContention = OnContention.SKIP)
		public int locked(String value) {
			return 1;
		}

	}

	static class SkipAndFallback {

		@DistributedLock(onContention = OnContention.SKIP, fallback = "other")
		public void locked() {
		}

		void other() {
		}

	}

	static class NoFallback {

		@DistributedLock(fallback = "other")
		public void locked() {
		}

	}

	static class FallbackParameters {

		@DistributedLock(fallback = "other")
		public void locked(int value) {
		}

		void other(long value) {
		}

	}

	static class FallbackOrder {

		@DistributedLock(fallback = "other")
		public void locked(int value) {
		}

		void other(LockException ex, int value) {
		}

	}

	static class FallbackException {

		@DistributedLock(fallback = "other")
		public void locked(int value) {
		}

		void other(int value, RuntimeException ex) {
		}

	}

	static class FallbackResult {

		@DistributedLock(fallback = "other")
		public String locked() {
			return "";
		}

		Object other() {
			return "";
		}

	}

	static class FallbackStatic {

		@DistributedLock(fallback = "other")
		public void locked() {
		}

		static void other() {
		}

	}

	static class FallbackTwice {

		@DistributedLock(fallback = "other")
		public void locked() {
		}

		void other() {
		}

		void other(LockException ex) {
		}

	}

	static class BadDuration {

		@DistributedLock(waitTime = "${wait}")
		public void locked() {
		}

	}

	static class NegativeWait {

		@DistributedLock(waitTime = "-1s")
		public void locked() {
		}

	}

	static class NegativeLease {

		@DistributedLock(leaseTime = "PT-1S")
		public void locked() {
		}

	}

	static class ZeroLease {

		@DistributedLock(leaseTime = "0s")
		public void locked() {
		}

	}

	static class NegativeHold {

		@DistributedLock(holdAtLeast = "-5ms")
		public void locked() {
		}

	}

	static class LongLease {

		@DistributedLock(leaseTime = "61s")
		public void locked() {
		}

	}

	static class BadPlaceholder {

		@DistributedLock("${nowhere}")
		public void locked() {
		}

	}

	static class BadName {

		@DistributedLock("}x")
		public void locked() {
		}

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

	static class PlainFuture {

		@DistributedLock
		public Future<String> locked() {
			return CompletableFuture.completedFuture("");
		}

	}

	static class AsyncFuture {

		@Async
		@DistributedLock
		public Future<String> locked() {
			return CompletableFuture.completedFuture("");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyConfiguration {

		@Bean
		@Lazy
		LazyBad lazyBad() {
			throw new AssertionError("created");
		}

	}

	static class LazyBad {

		@DistributedLock(waitTime = "later")
		private void locked() {
		}

	}

}
