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

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import kotlinx.coroutines.Job;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.scaffold.InstrumentedType;
import net.bytebuddy.implementation.StubMethod;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
import org.springframework.mock.env.MockEnvironment;
import org.springframework.scheduling.annotation.Async;

import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.DistributedLockAdvisor;
import io.quorlock.aop.FakeLockTemplate;
import io.quorlock.aop.LockDeclarationValidator;

import static io.quorlock.aop.DeclarationAssert.assertThatRefused;
import static io.quorlock.aop.DeclarationAssert.assertThatStartFails;
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

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					sharedPipeline | | which ConnectableFlux does not allow | Return a Flux from the method
					plainFuture | | Future | Return a CompletableFuture, or make the method @Async
					ownFuture | | the caller gets a different future than the method returns, which Own does not allow | Return a CompletableFuture or a CompletionStage
					listOfFutures | | goes on after the method has returned | Return one CompletableFuture, Mono or Flux
					arrayOfFutures | | goes on after the method has returned | Return one CompletableFuture, Mono or Flux
					mapOfPipelines | | goes on after the method has returned | Return one CompletableFuture, Mono or Flux
					coroutine | | goes on after the method has returned | Return one CompletableFuture, Mono or Flux
					badWait        | waitTime    | 'soon' is no duration | Write a number with a unit: 500ms
					negativeWait   | waitTime    | negative | Write a number with a unit: 500ms
					negativeLease  | leaseTime   | negative | Write a number with a unit: 500ms
					zeroLease      | leaseTime   | positive | Set it to longer than the method runs, or remove it
					negativeHold   | holdAtLeast | negative | Write a number with a unit: 500ms
					negativeRetain | retainTime  | negative | Write a number with a unit: 500ms
					unitlessWait   | waitTime    | '5' has no unit  | Write waitTime = "5s" for seconds, or "5ms" for milliseconds
					signedWait     | waitTime    | '+5' has no unit | Write waitTime
					unitlessLease  | leaseTime   | '30' has no unit | Write leaseTime = "30s" for seconds, or "30ms" for milliseconds
					unitlessHold   | holdAtLeast | '30' has no unit | Write holdAtLeast = "30s" for seconds, or "30ms" for milliseconds
					unitlessValue  | leaseTime   | '3000' has no unit | Write leaseTime = "3000s" for seconds, or "3000ms" for milliseconds
					unlimitedLease | leaseTime   | is no duration | Write a number with a unit: 500ms
					tooShortLease  | leaseTime   | distributed-lock.connection.operation-timeout | Set it to longer than the method runs, or remove it
					longLease      | leaseTime   | distributed-lock.max-lease-time | or raise distributed-lock.max-lease-time and distributed-lock.restart-quarantine
					shortLease     | holdAtLeast | it is longer than leaseTime = "5s" | Make leaseTime at least as long, or remove it
					longHold       | holdAtLeast | is longer than ten years | Write a number with a unit: 500ms
					badName        | name        | must not start with '}' | Use a name of 1 to 1,024 characters
					tooManyPermits     | permits | 1 to 1,000 | Set permits to 1 to 1,000
					negativePermits    | permits | 1 to 1,000 | Set permits to 1 to 1,000
					sharedPermits      | permits | mode = SHARED | in mode = EXCLUSIVE, or remove the attribute
					sharedHold         | holdAtLeast | mode = SHARED | Remove holdAtLeast, or mode = SHARED
					retainedReader     | retainTime | one exclusive lock | Remove retainTime
					retainedFixedLease | retainTime | one exclusive lock | Remove retainTime
					permitsOfList      | key | permits = 2 | Use an expression for one value, or remove permits = 2
					permitsOfArray     | key | permits = 2 | Use an expression for one value, or remove permits = 2
					permitsOfProjection | key | permits = 2 | Use an expression for one value, or remove permits = 2
					permitsOfInlineList | key | permits = 2 | Use an expression for one value, or remove permits = 2
					fairList           | key | fair = true | Use an expression for one value, or remove fair = true
					fairSelection      | key | fair = true | Use an expression for one value, or remove fair = true
					""",
			quoteCharacter = '`')
	void refusesDeclaration(String method, @Nullable String attribute, String reason, String remedy) {
		assertThatRefused(Refused.class, method, attribute, reason, remedy);
	}

	@Test
	void zeroNeedsNoUnitAndAWaitMayBeUnlimited() {
		assertThat(parse(Accepted.class, "zeroWait").request().waitTime()).isZero();
		assertThat(parse(Accepted.class, "unlimitedWait").request().waitTime()).isEqualTo(LockRequest.UNLIMITED_WAIT);
	}

	@Test
	void acceptsWhatIsJustWithinItsBounds() {
		assertThat(Accepted.class.getMethods()).hasSize(7)
			.allSatisfy((method) -> assertThat(parse(Accepted.class, method.getName())).isNotNull());
	}

	@Test
	void refusesOneNameWithAndWithoutPermits() {
		this.contextRunner.withBean(WithPermits.class)
			.withBean(WithoutPermits.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockDeclarationException.class)
				.hasMessageContaining("'exports'")
				.hasMessageContaining("do not exclude each other")
				.hasMessageContaining("WithPermits.locked()")
				.hasMessageContaining("WithoutPermits.locked()"));
	}

	@Test
	void acceptsPermitsOfANameWhoseKeysHaveNone() {
		this.contextRunner.withBean(WithPermits.class)
			.withBean(KeyWithoutPermits.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static LockSpecification parse(Class<?> type, String name) {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.addEmbeddedValueResolver(new MockEnvironment().withProperty("wait", "soon")
			.withProperty("patience", "unlimited")::resolveRequiredPlaceholders);
		Method method = Arrays.stream(type.getMethods())
			.filter((each) -> each.getName().equals(name))
			.findFirst()
			.orElseThrow();
		DistributedLock annotation = Objects.requireNonNull(LockDeclaration.find(DistributedLock.class, method, type));
		return new LockSpecificationParser(beanFactory, new LeaseBounds(Duration.ofMillis(50), Duration.ofSeconds(60)))
			.parse(annotation, method, type);
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
	void acceptsPlainFutureOfAnAsyncMethod() {
		this.contextRunner.withBean(AsyncFuture.class)
			.withBean(FutureOfAsyncClass.class)
			.run((context) -> assertThat(context).hasNotFailed());
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

	interface Refused {

		@DistributedLock
		ConnectableFlux<String> sharedPipeline();

		@DistributedLock
		List<CompletableFuture<String>> listOfFutures();

		@DistributedLock
		CompletableFuture<?>[] arrayOfFutures();

		@DistributedLock
		Map<String, Optional<Flux<String>>> mapOfPipelines();

		@DistributedLock
		Job coroutine();

		@DistributedLock
		Future<String> plainFuture();

		@DistributedLock
		Own ownFuture();

		@DistributedLock(waitTime = "${wait}")
		void badWait();

		@DistributedLock(waitTime = "-1s")
		void negativeWait();

		@DistributedLock(leaseTime = "PT-1S")
		void negativeLease();

		@DistributedLock(leaseTime = "0s")
		void zeroLease();

		@DistributedLock(holdAtLeast = "-5ms")
		void negativeHold();

		@DistributedLock(retainTime = "-5ms")
		void negativeRetain();

		@DistributedLock(waitTime = "5")
		void unitlessWait();

		@DistributedLock(waitTime = "+5")
		void signedWait();

		@DistributedLock(leaseTime = "30")
		void unitlessLease();

		@DistributedLock(holdAtLeast = "30")
		void unitlessHold();

		@DistributedLock(leaseTime = "${lease:3000}")
		void unitlessValue();

		@DistributedLock(leaseTime = "unlimited")
		void unlimitedLease();

		@DistributedLock(leaseTime = "50ms")
		void tooShortLease();

		@DistributedLock(leaseTime = "61s")
		void longLease();

		@DistributedLock(leaseTime = "5s", holdAtLeast = "30s")
		void shortLease();

		@DistributedLock(holdAtLeast = "4000d")
		void longHold();

		@DistributedLock("}x")
		void badName();

		@DistributedLock(permits = 1_001)
		void tooManyPermits();

		@DistributedLock(permits = -1)
		void negativePermits();

		@DistributedLock(mode = LockMode.SHARED, permits = 2)
		void sharedPermits();

		@DistributedLock(mode = LockMode.SHARED, holdAtLeast = "1s")
		void sharedHold();

		@DistributedLock(mode = LockMode.SHARED, retainTime = "1s")
		void retainedReader();

		@DistributedLock(leaseTime = "1s", retainTime = "1s")
		void retainedFixedLease();

		@DistributedLock(name = "stock", key = "#skus", permits = 2)
		void permitsOfList(List<String> skus);

		@DistributedLock(name = "stock", key = "#a0", permits = 2)
		void permitsOfArray(String... skus);

		@DistributedLock(name = "stock", key = "#skus.![toString()]", permits = 2)
		void permitsOfProjection(List<String> skus);

		@DistributedLock(name = "stock", key = "{#from, #to}", permits = 2)
		void permitsOfInlineList(String from, String to);

		@DistributedLock(name = "stock", key = "#skus", fair = true)
		void fairList(List<String> skus);

		@DistributedLock(name = "stock", key = "#skus.?[true]", fair = true)
		void fairSelection(List<String> skus);

	}

	interface Accepted {

		@DistributedLock(waitTime = "0")
		void zeroWait();

		@DistributedLock(waitTime = "${patience}")
		void unlimitedWait();

		@DistributedLock(mode = LockMode.SHARED, holdAtLeast = "0s")
		void sharedWithoutHold();

		@DistributedLock(leaseTime = "5s", holdAtLeast = "5s")
		void holdOfTheLease();

		@DistributedLock(permits = 1_000)
		void thousandPermits();

		@DistributedLock(name = "stock", key = "#skus[0]", permits = 2)
		void indexed(List<String> skus);

		@DistributedLock(name = "stock", key = "#skus.^[true]", permits = 2, fair = true)
		void selected(List<String> skus);

	}

	static class WithPermits {

		@DistributedLock(name = "exports", permits = 3)
		public void locked() {
		}

	}

	static class WithoutPermits {

		@DistributedLock(name = "exports")
		public void locked() {
		}

	}

	static class KeyWithoutPermits {

		@DistributedLock(name = "exports", key = "#id")
		public void locked(long id) {
		}

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

	static class SkipPrimitive {

		@DistributedLock(onContention = OnContention.SKIP)
		public int locked(String value) {
			return 1;
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
