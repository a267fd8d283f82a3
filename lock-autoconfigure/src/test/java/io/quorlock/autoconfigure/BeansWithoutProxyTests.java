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

package io.quorlock.autoconfigure;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.convert.converter.Converter;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.autoconfigure.leader.LeaderElectionAutoConfiguration;
import io.quorlock.leader.LeaderOnly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for beans that Spring hands out without a proxy, whose annotated methods would
 * run as if they were not annotated.
 */
@ExtendWith(OutputCaptureExtension.class)
class BeansWithoutProxyTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LeaderElectionAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory", "distributed-lock.leader.roles=importer");

	private static Consumer<AssertableApplicationContext> refused(String bean, String annotation, String reason,
			String action) {
		return (context) -> assertThat(context.getStartupFailure())
			.isInstanceOfSatisfying(InvalidLockDeclarationException.class, (ex) -> {
				assertThat(ex).hasMessageStartingWith("Invalid @" + annotation + " on ")
					.hasMessageContaining("bean '" + bean + "' " + reason);
				assertThat(ex.getAction()).contains(action).endsWith(" inside the method.");
			});
	}

	private static Consumer<AssertableApplicationContext> notAProxy(String bean, String annotation) {
		return refused(bean, annotation, "is not a proxy, so the annotation has no effect",
				"inject it as ObjectProvider where a post-processor needs it");
	}

	static Stream<Arguments> beansThatAreNeededTooEarly() {
		return Stream.of(arguments(Locked.class, OrderedPostProcessorConfiguration.class, "DistributedLock"),
				arguments(Led.class, OrderedPostProcessorConfiguration.class, "LeaderOnly"),
				arguments(Classwide.class, OrderedPostProcessorConfiguration.class, "DistributedLock"),
				arguments(Implementing.class, OrderedPostProcessorConfiguration.class, "DistributedLock"),
				arguments(Locked.class, PriorityPostProcessorConfiguration.class, "DistributedLock"),
				arguments(Locked.class, FactoryPostProcessorConfiguration.class, "DistributedLock"),
				arguments(WorkFactory.class, WorkPostProcessorConfiguration.class, "DistributedLock"));
	}

	@ParameterizedTest
	@MethodSource("beansThatAreNeededTooEarly")
	void beanThatAPostProcessorNeedsIsRefused(Class<?> bean, Class<?> postProcessor, String annotation) {
		this.contextRunner.withBean("job", bean)
			.withUserConfiguration(postProcessor)
			.run(notAProxy("job", annotation)::accept);
	}

	@Test
	void beanThatAPostProcessorGetsLazilyIsLocked() {
		this.contextRunner.withBean("job", Locked.class)
			.withUserConfiguration(LazyPostProcessorConfiguration.class)
			.run((context) -> assertThat(context.getBean(Callable.class).call()).isEqualTo(true));
	}

	@Test
	void configurationClassThatDeclaresAPostProcessorIsRefused() {
		this.contextRunner.withUserConfiguration(LockedConfiguration.class)
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOf(InvalidLockDeclarationException.class)
				.hasMessageContaining("LockedConfiguration' is not a proxy"));
	}

	@Test
	void postProcessorsAndAdviceAreNoProxiesThemselves() {
		this.contextRunner.withBean("processor", LockedPostProcessor.class)
			.run(notAProxy("processor", "DistributedLock")::accept);
		this.contextRunner.withBean("advice", LockedAdvice.class).run(notAProxy("advice", "DistributedLock")::accept);
	}

	@Test
	void instanceThatIsRegisteredAsABeanIsRefused() {
		this.contextRunner.withInitializer((context) -> context.getBeanFactory().registerSingleton("job", new Locked()))
			.run(notAProxy("job", "DistributedLock")::accept);
		this.contextRunner
			.withInitializer((context) -> context.getBeanFactory()
				.registerSingleton("job", (Work) () -> LockContext.current().isPresent()))
			.run(notAProxy("job", "DistributedLock")::accept);
	}

	@Test
	void proxyWithOtherAdviceThatIsRegisteredAsABeanIsRefused() {
		this.contextRunner
			.withInitializer((context) -> context.getBeanFactory()
				.registerSingleton("job", new ProxyFactory(new Locked()).getProxy()))
			.run(notAProxy("job", "DistributedLock")::accept);
	}

	@Test
	void productOfAFactoryIsLocked() {
		this.contextRunner.withBean("job", WorkFactory.class)
			.run((context) -> assertThat(context.getBean(Work.class).call()).isTrue());
	}

	@Test
	void methodThatNoInterfaceOfItsProxyDeclaresIsRefused() {
		this.contextRunner.withBean("job", Inner.class)
			.run(refused("job", "DistributedLock", "is a proxy of interfaces, none of which declares the method",
					"Declare the method in an interface of the bean")::accept);
		this.contextRunner.withBean("job", Inner.class)
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
			.run((context) -> assertThat(context.getBean(Inner.class).inner()).isTrue());
		this.contextRunner.withBean("job", Generic.class)
			.run((context) -> assertThat(context.getBean(Converter.class).convert("a")).isEqualTo(true));
	}

	@ParameterizedTest
	@CsvSource({ "lazy, the method is private", "prototype, the method is private",
			"uncovered, none of which declares the method", "product, is not a proxy", "advice, is not a proxy",
			"closing, init or destroy method" })
	void beansAreCheckedWhenTheyAreCreatedIfTheirDefinitionsHideThem(String name, String reason) {
		this.contextRunner.withUserConfiguration(HidingConfiguration.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatThrownBy(() -> context.getBean(name)).rootCause()
				.isInstanceOf(InvalidLockDeclarationException.class)
				.hasMessageContaining(reason);
		});
	}

	@Test
	void innerBeansAndDefinitionsThatNoPostProcessorSeesAreChecked() {
		this.contextRunner
			.withBean(AtomicReference.class, AtomicReference::new,
					(definition) -> ((AbstractBeanDefinition) definition).getPropertyValues()
						.add("plain", new RootBeanDefinition(Private.class)))
			.run((context) -> assertThat(context.getStartupFailure()).hasMessageContaining("the method is private"));
		this.contextRunner.withBean("job", Locked.class, Locked::new, (definition) -> {
			definition.setLazyInit(true);
			((AbstractBeanDefinition) definition).setSynthetic(true);
		}).run(notAProxy("job", "DistributedLock")::accept);
	}

	/** The test knows that it is not locked. */
	@Test
	void beanThatATestReplacesIsReportedOnly(CapturedOutput output) {
		this.contextRunner.withInitializer((context) -> {
			context.getBeanFactory()
				.registerSingleton("org.springframework.test.context.bean.override.internalBeanOverrideRegistry",
						new Object());
			context.getBeanFactory().registerSingleton("job", new Locked());
		}).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("Bean 'job' is not a proxy, so @DistributedLock has no effect on "
					+ Locked.class.getName() + ".call(): a test has replaced the bean");
		});
	}

	@Test
	void beansOfAllOtherKindsAreLocked() {
		this.contextRunner.withUserConfiguration(OtherBeansConfiguration.class).run((context) -> {
			assertThat(context).hasNotFailed();
			for (String name : List.of("prototype", "scoped", "lazy", "product", "decorated")) {
				assertThat(((Callable<?>) context.getBean(name)).call()).as(name).isEqualTo(true);
			}
			assertThat(context.getBean("none").equals(null)).isTrue();
		});
	}

	private static AnnotationConfigApplicationContext childOf(ApplicationContext parent, Class<?>... types) {
		AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
		child.setParent(parent);
		child.register(types);
		return child;
	}

	@Test
	void childContextWithoutAutoConfigurationIsRefused() {
		this.contextRunner.run((parent) -> {
			for (Class<?> type : List.of(Locked.class, Led.class, LazyLocked.class, PrototypeLocked.class)) {
				try (AnnotationConfigApplicationContext child = childOf(parent, type)) {
					assertThatThrownBy(child::refresh).isInstanceOf(InvalidLockDeclarationException.class)
						.hasMessageContaining("is in an application context without advisors")
						.satisfies((ex) -> assertThat(((InvalidLockDeclarationException) ex).getAction())
							.contains("Import Quorlock's auto-configurations in that context"));
					assertThat(child.isActive()).isFalse();
				}
			}
		});
	}

	@Test
	void beanThatAChildContextWithoutAutoConfigurationCreatesLaterIsRefused() {
		this.contextRunner.run((parent) -> {
			try (AnnotationConfigApplicationContext child = childOf(parent, Object.class)) {
				child.registerBean("lazy", Callable.class, Locked::new, (definition) -> definition.setLazyInit(true));
				child.refresh();
				child.registerBean("late", Callable.class, Inner::new);
				for (String name : List.of("lazy", "late")) {
					assertThatThrownBy(() -> child.getBean(name)).rootCause()
						.hasMessageContaining("is in an application context without advisors");
				}
			}
		});
	}

	@Test
	void childContextWithAutoConfigurationOrAProxyCreatorOfItsOwnIsLocked() {
		this.contextRunner.run((parent) -> {
			this.contextRunner.withParent(parent)
				.withBean(Locked.class)
				.run((child) -> assertThat(child.getBean(Callable.class).call()).isEqualTo(true));
			for (Class<?> type : List.of(Locked.class, LazyLocked.class, PrototypeLocked.class)) {
				try (AnnotationConfigApplicationContext child = childOf(parent, type,
						DefaultAdvisorAutoProxyCreator.class)) {
					child.refresh();
					assertThat(child.getBean(Callable.class).call()).isEqualTo(true);
				}
			}
		});
	}

	@Test
	void parentContextWithoutAutoConfigurationIsRefused() {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(Locked.class)) {
			this.contextRunner.withParent(parent)
				.run((context) -> assertThat(context.getStartupFailure())
					.hasMessageContaining("is in an application context without advisors"));
		}
	}

	static class Locked implements Callable<Boolean> {

		@Override
		@DistributedLock("job")
		public Boolean call() {
			return LockContext.current().isPresent();
		}

	}

	@Lazy
	static class LazyLocked extends Locked {

	}

	@Scope("prototype")
	static class PrototypeLocked extends Locked {

	}

	static class Led implements Callable<Boolean> {

		@Override
		@LeaderOnly("importer")
		public @Nullable Boolean call() {
			return LockContext.current().isPresent();
		}

	}

	@DistributedLock("job")
	static class Classwide implements Callable<Boolean> {

		@Override
		public Boolean call() {
			return LockContext.current().isPresent();
		}

	}

	interface Work extends Callable<Boolean> {

		@Override
		@DistributedLock("job")
		Boolean call();

	}

	static class Implementing implements Work {

		@Override
		public Boolean call() {
			return LockContext.current().isPresent();
		}

	}

	static class Inner implements Callable<Boolean> {

		@Override
		public Boolean call() {
			return inner();
		}

		@DistributedLock("inner")
		public boolean inner() {
			return LockContext.current().isPresent();
		}

	}

	static class Generic implements Converter<String, Boolean> {

		@Override
		@DistributedLock(name = "convert", key = "#text")
		public Boolean convert(String text) {
			return LockContext.current().isPresent();
		}

	}

	static class Private implements Callable<Boolean> {

		@Override
		public Boolean call() {
			return inner();
		}

		@DistributedLock("inner")
		private boolean inner() {
			return LockContext.current().isPresent();
		}

	}

	static class OtherPrivate extends Private {

	}

	@Configuration(proxyBeanMethods = false)
	static class HidingConfiguration {

		@Bean
		@Lazy
		Callable<Boolean> lazy() {
			return new Private();
		}

		@Bean
		@Scope("prototype")
		Callable<Boolean> prototype() {
			return new OtherPrivate();
		}

		@Bean
		@Lazy
		Callable<Boolean> uncovered() {
			return new Inner();
		}

		@Bean
		FactoryBean<Callable<?>> product() {
			return new HidingFactory();
		}

		@Bean
		@Lazy
		Object advice() {
			return new OtherLockedAdvice();
		}

		@Bean
		@Lazy
		Runnable closing() {
			return new Closing();
		}

	}

	static class WorkFactory implements FactoryBean<Work> {

		@Override
		public Work getObject() {
			return () -> LockContext.current().isPresent();
		}

		@Override
		public Class<?> getObjectType() {
			return Work.class;
		}

	}

	static class Needing implements BeanPostProcessor, Ordered {

		private final Object dependency;

		Needing(Object dependency) {
			this.dependency = dependency;
		}

		@Override
		public int getOrder() {
			return 0;
		}

		@Override
		public String toString() {
			return "needs " + this.dependency;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OrderedPostProcessorConfiguration {

		@Bean
		static Needing needing(Callable<Boolean> job) {
			return new Needing(job);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WorkPostProcessorConfiguration {

		@Bean
		static Needing needing(Work job) {
			return new Needing(job);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PriorityPostProcessorConfiguration {

		@Bean
		static PriorityNeeding needing(Callable<Boolean> job) {
			return new PriorityNeeding(job);
		}

	}

	static class PriorityNeeding extends Needing implements PriorityOrdered {

		PriorityNeeding(Object dependency) {
			super(dependency);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FactoryPostProcessorConfiguration {

		@Bean
		static BeanFactoryPostProcessor needing() {
			return (beanFactory) -> beanFactory.getBean("job");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyPostProcessorConfiguration {

		@Bean
		static Needing needing(ObjectProvider<Callable<Boolean>> job) {
			return new Needing(job);
		}

	}

	@Configuration
	static class LockedConfiguration {

		@Bean
		Needing needing() {
			return new Needing("nothing");
		}

		@DistributedLock("configuration")
		public void locked() {
		}

	}

	static class LockedPostProcessor extends Needing {

		LockedPostProcessor() {
			super("nothing");
		}

		@DistributedLock("processor")
		public void locked() {
		}

	}

	static class OtherLockedAdvice extends LockedAdvice {

	}

	static class Infrastructure extends Locked implements AopInfrastructureBean {

	}

	static class HidingFactory implements FactoryBean<Callable<?>> {

		@Override
		public Callable<?> getObject() {
			return new Infrastructure();
		}

		@Override
		public Class<?> getObjectType() {
			return Callable.class;
		}

	}

	static class Closing implements Runnable {

		@Override
		public void run() {
		}

		@DistributedLock("closing")
		public void close() {
		}

	}

	static class LockedAdvice implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			return invocation.proceed();
		}

		@DistributedLock("advice")
		public void locked() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherBeansConfiguration {

		@Bean
		@Scope("prototype")
		Locked prototype() {
			return new Locked();
		}

		@Bean
		@Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Locked scoped() {
			return new Locked();
		}

		@Bean
		@Lazy
		Locked lazy() {
			return new Locked();
		}

		@Bean
		WorkFactory product() {
			return new WorkFactory();
		}

		@Bean
		@Nullable Locked none() {
			return null;
		}

		@Bean
		Work decorated() {
			return new Implementing();
		}

		/** Knows nothing of Spring's proxies. */
		@Bean
		static BeanPostProcessor decorator() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					return beanName.equals("decorated") ? (Work) ((Work) bean)::call : bean;
				}

			};
		}

	}

}
