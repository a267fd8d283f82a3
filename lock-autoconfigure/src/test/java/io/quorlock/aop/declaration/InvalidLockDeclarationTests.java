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

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import kotlinx.coroutines.Job;
import kotlinx.coroutines.JobKt;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.scaffold.InstrumentedType;
import net.bytebuddy.implementation.StubMethod;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.Async;

import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.DistributedLockAdvisor;
import io.quorlock.aop.FakeLockTemplate;
import io.quorlock.aop.LockDeclarationValidator;

import static io.quorlock.aop.declaration.DeclarationAssert.assertThatStartFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockDeclarationValidator} and {@link LockSpecificationParser}: what is
 * refused at start.
 */
class InvalidLockDeclarationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class);

	@Test
	void refusesSkipOnPrimitiveResult() {
		assertThatStartFails(SkipPrimitive.class, "locked(String)", "onContention", "int",
				"Return Integer or void, or remove onContention = SKIP");
	}

	@Test
	void refusesPipelinesThatTheLockCannotWrap() {
		assertThatStartFails(SharedPipeline.class, "locked", null, "which ConnectableFlux does not allow",
				"Return a Flux from the method");
	}

	@Test
	void beanThatIsNeverCreatedMayNameAbsentClasses() {
		Class<?> optional = new ByteBuddy().subclass(Object.class)
			.defineMethod("use", void.class, Modifier.PUBLIC)
			.withParameters(InstrumentedType.Default.of("absent.Library",
					TypeDescription.Generic.OfNonGenericType.ForLoadedType.of(Object.class), Modifier.PUBLIC))
			.intercept(StubMethod.INSTANCE)
			.make()
			.load(getClass().getClassLoader())
			.getLoaded();
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		RootBeanDefinition definition = new RootBeanDefinition(optional);
		definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
		beanFactory.registerBeanDefinition("optional", definition);
		beanFactory.registerBeanDefinition("orders", new RootBeanDefinition(SkipPrimitive.class));
		LockDeclarationValidator validator = validator(beanFactory);
		assertThatExceptionOfType(InvalidLockDeclarationException.class)
			.isThrownBy(validator::afterSingletonsInstantiated)
			.withMessageContaining("SkipPrimitive");
	}

	@Test
	void refusesDurationThatCannotBeParsed() {
		assertThatStartFails(BadDuration.class, "locked", "waitTime", "'soon' is no duration",
				"Write a number with a unit: 500ms");
	}

	@Test
	void refusesNegativeAndZeroDurations() {
		assertThatStartFails(NegativeWait.class, "locked", "waitTime", "negative", "Write a number with a unit: 500ms");
		assertThatStartFails(NegativeLease.class, "locked", "leaseTime", "negative",
				"Write a number with a unit: 500ms");
		assertThatStartFails(ZeroLease.class, "locked", "leaseTime", "positive",
				"Set it to longer than the method runs, or remove it");
		assertThatStartFails(NegativeHold.class, "locked", "holdAtLeast", "negative",
				"Write a number with a unit: 500ms");
		assertThatStartFails(NegativeRetain.class, "locked", "retainTime", "negative",
				"Write a number with a unit: 500ms");
	}

	@Test
	void refusesDurationsWithoutAUnit() {
		assertThatStartFails(UnitlessWait.class, "locked", "waitTime", "'5' has no unit",
				"Write waitTime = \"5s\" for seconds, or \"5ms\" for milliseconds");
		assertThatStartFails(UnitlessLease.class, "locked", "leaseTime", "'30' has no unit",
				"Write leaseTime = \"30s\" for seconds, or \"30ms\" for milliseconds");
		assertThatStartFails(UnitlessHold.class, "locked", "holdAtLeast", "'30' has no unit",
				"Write holdAtLeast = \"30s\" for seconds, or \"30ms\" for milliseconds");
		assertThatStartFails(SignedWait.class, "locked", "waitTime", "'+5' has no unit", "Write waitTime");
		assertThatStartFails(UnitlessProperty.class, "locked", "leaseTime", "'3000' has no unit",
				"Write leaseTime = \"3000s\" for seconds, or \"3000ms\" for milliseconds");
		this.contextRunner.withBean(ZeroWait.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void refusesLeaseThatIsNotLongerThanTheOperationTimeout() {
		assertThatStartFails(TooShortLease.class, "locked", "leaseTime",
				"distributed-lock.connection.operation-timeout", "Set it to longer than the method runs, or remove it");
	}

	@Test
	void refusesLeaseAboveTheMaximum() {
		assertThatStartFails(LongLease.class, "locked", "leaseTime", "distributed-lock.max-lease-time",
				"or raise distributed-lock.max-lease-time and distributed-lock.restart-quarantine");
	}

	@Test
	void refusesPlaceholderThatCannotBeResolved() {
		assertThatStartFails(BadPlaceholder.class, "locked", "name", "cannot be resolved", "Define the property");
	}

	@Test
	void refusesBeanExpressionThatFails() {
		this.contextRunner.withBean(BadExpression.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidLockDeclarationException.class, (invalid) -> {
					assertThat(invalid.getLocation()).endsWith("BadExpression.locked()");
					assertThat(invalid.getValue()).isEqualTo("#{@nowhere.name}");
				}));
	}

	@Test
	void refusesPlaceholderThatTheApplicationWouldNotResolve() {
		this.contextRunner.withBean(PropertySourcesPlaceholderConfigurer.class)
			.withBean(BadPlaceholder.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(InvalidLockDeclarationException.class, (invalid) -> {
					assertThat(invalid.getAttribute()).isEqualTo("name");
					assertThat(invalid.getReason()).contains("'nowhere'");
					assertThat(invalid.getAction()).startsWith("Define the property");
				}));
	}

	@Test
	void refusesNameThatCannotBeLocked() {
		assertThatStartFails(BadName.class, "locked", "name", "must not start with '}'",
				"Use a name of 1 to 1,024 characters");
	}

	@Test
	void refusesPlainFutureUnlessAsync() {
		assertThatStartFails(PlainFuture.class, "locked", null, "Future",
				"Return a CompletableFuture, or make the method @Async");
		this.contextRunner.withBean(AsyncFuture.class)
			.withBean(FutureOfAsyncClass.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(classes = { ListOfFutures.class, MapOfPipelines.class, Coroutine.class })
	void refusesWorkThatGoesOnBehindTheResult(Class<?> beanClass) {
		assertThatStartFails(beanClass, "locked", null, "goes on after the method has returned",
				"Return one CompletableFuture, Mono or Flux");
	}

	@Test
	void refusesFutureThatTheCallerCannotGetAnotherOneOf() {
		assertThatStartFails(OwnFuture.class, "locked", null,
				"the caller gets a different future than the method returns, which Own does not allow",
				"Return a CompletableFuture or a CompletionStage");
	}

	@Test
	void checksLazyBeansWithoutCreatingThem() {
		this.contextRunner.withUserConfiguration(LazyConfiguration.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockDeclarationException.class)
				.hasMessageContaining("LazyBad.locked"));
	}

	@Test
	void checksPrototypesWithoutCreatingThem() {
		this.contextRunner
			.withInitializer((context) -> ((GenericApplicationContext) context).registerBean(SkipPrimitive.class,
					(definition) -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE)))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockDeclarationException.class)
				.hasMessageContaining("SkipPrimitive.locked"));
	}

	@Test
	void lazyFactoryBeanStaysLazy() {
		AtomicBoolean created = new AtomicBoolean();
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		RootBeanDefinition definition = new RootBeanDefinition(FactoryBean.class, () -> {
			created.set(true);
			throw new IllegalStateException();
		});
		definition.setLazyInit(true);
		beanFactory.registerBeanDefinition("product", definition);
		validator(beanFactory).afterSingletonsInstantiated();
		assertThat(created).isFalse();
	}

	private static LockDeclarationValidator validator(DefaultListableBeanFactory beanFactory) {
		beanFactory.registerSingleton("advisor", new DistributedLockAdvisor(beanFactory, LeaseBounds.NONE,
				FakeLockTemplate::new, Ordered.LOWEST_PRECEDENCE));
		return new LockDeclarationValidator(beanFactory);
	}

	/** Another thread may remove a bean meanwhile, such as one of a scope that ends. */
	@Test
	void beanWhoseClassCannotBeAskedForDoesNotFailTheStart() {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory() {

			@Override
			public @Nullable Class<?> getType(String name) {
				if (name.equals("gone")) {
					throw new NoSuchBeanDefinitionException(name);
				}
				return super.getType(name);
			}

		};
		beanFactory.registerBeanDefinition("gone", new RootBeanDefinition(Object.class));
		beanFactory.registerBeanDefinition("orders", new RootBeanDefinition(PrivateMethod.class));
		LockDeclarationValidator validator = validator(beanFactory);
		assertThatExceptionOfType(InvalidLockDeclarationException.class)
			.isThrownBy(validator::afterSingletonsInstantiated)
			.withMessageContaining("PrivateMethod");
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

	/** Clients of HTTP interfaces and mappers are such beans. */
	@Test
	void jdkProxyAsBeanTakesItsParametersAndItsFallbackFromTheInterface() {
		Client product = ProxyFactory.getProxy(Client.class,
				(MethodInterceptor) (invocation) -> invocation.getMethod().getName());
		this.contextRunner.withBean("client", Client.class, () -> product).run((context) -> {
			assertThat(context.getBean(Client.class).load(42)).isEqualTo("load");
			FakeLockTemplate locks = context.getBean(FakeLockTemplate.class);
			assertThat(locks.events()).containsExactly("lock article:42", "unlock article:42");
			locks.holdElsewhere("article:43");
			assertThat(context.getBean(Client.class).load(43)).isEqualTo("none");
		});
	}

	@Test
	void refusesCoolDownThatOutlivesAFixedLease() {
		assertThatStartFails(ShortLease.class, "locked", "holdAtLeast", "it is longer than leaseTime = \"5s\"",
				"Make leaseTime at least as long, or remove it");
	}

	@Test
	void refusesCoolDownThatNobodyLivesToSeeTheEndOf() {
		assertThatStartFails(LongHold.class, "locked", "holdAtLeast", "is longer than ten years",
				"Write a number with a unit: 500ms");
	}

	@Test
	void unlimitedWaitIsForWaitsOnly() {
		assertThatStartFails(UnlimitedLease.class, "locked", "leaseTime", "is no duration",
				"Write a number with a unit: 500ms");
		this.contextRunner.withPropertyValues("patience=unlimited").withBean(Patient.class).run((context) -> {
			context.getBean(Patient.class).locked();
			assertThat(context.getBean(FakeLockTemplate.class).lastRequest().waitTime())
				.isEqualTo(LockRequest.UNLIMITED_WAIT);
		});
	}

	static class PrivateMethod {

		@DistributedLock
		private void locked() {
		}

	}

	interface Task {

		@DistributedLock
		void locked();

	}

	interface Client {

		@DistributedLock(name = "article", key = "#id", waitTime = "0s", fallback = "none")
		String load(int id);

		default String none(int id) {
			return "";
		}

	}

	static class SharedPipeline {

		@DistributedLock
		public ConnectableFlux<String> locked() {
			return Flux.just("a").publish();
		}

	}

	static class SkipPrimitive {

		@DistributedLock(onContention = OnContention.SKIP)
		public int locked(String value) {
			return 1;
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

	static class SignedWait {

		@DistributedLock(waitTime = "+5")
		public void locked() {
		}

	}

	static class UnitlessWait {

		@DistributedLock(waitTime = "5")
		public void locked() {
		}

	}

	static class UnitlessLease {

		@DistributedLock(leaseTime = "30")
		public void locked() {
		}

	}

	static class UnitlessHold {

		@DistributedLock(holdAtLeast = "30")
		public void locked() {
		}

	}

	static class UnitlessProperty {

		@DistributedLock(leaseTime = "${lease:3000}")
		public void locked() {
		}

	}

	static class ZeroWait {

		@DistributedLock(waitTime = "0")
		public void locked() {
		}

	}

	static class TooShortLease {

		@DistributedLock(leaseTime = "50ms")
		public void locked() {
		}

	}

	static class NegativeHold {

		@DistributedLock(holdAtLeast = "-5ms")
		public void locked() {
		}

	}

	static class NegativeRetain {

		@DistributedLock(retainTime = "-5ms")
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

	static class BadExpression {

		@DistributedLock("#{@nowhere.name}")
		public void locked() {
		}

	}

	static class BadName {

		@DistributedLock("}x")
		public void locked() {
		}

	}

	static class ListOfFutures {

		@DistributedLock
		public List<CompletableFuture<String>> locked() {
			return List.of();
		}

	}

	static class MapOfPipelines {

		@DistributedLock
		public Map<String, Optional<Flux<String>>> locked() {
			return Map.of();
		}

	}

	static class Coroutine {

		@DistributedLock
		public Job locked() {
			return JobKt.Job(null);
		}

	}

	static class PlainFuture {

		@DistributedLock
		public Future<String> locked() {
			return CompletableFuture.completedFuture("");
		}

	}

	@Async
	static class FutureOfAsyncClass {

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

	static class Own extends CompletableFuture<String> {

	}

	static class OwnFuture {

		@DistributedLock
		public Own locked() {
			return new Own();
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

	static class ShortLease {

		@DistributedLock(leaseTime = "5s", holdAtLeast = "30s")
		public void locked() {
		}

	}

	static class LongHold {

		@DistributedLock(holdAtLeast = "4000d")
		public void locked() {
		}

	}

	static class UnlimitedLease {

		@DistributedLock(leaseTime = "unlimited")
		public void locked() {
		}

	}

	static class Patient {

		@DistributedLock(waitTime = "${patience}")
		public void locked() {
		}

	}

}
