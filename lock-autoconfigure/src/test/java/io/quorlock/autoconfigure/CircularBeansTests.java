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
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import jakarta.annotation.PostConstruct;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.event.TransactionalEventListenerFactory;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.ScheduledLock;
import io.quorlock.autoconfigure.leader.LeaderElectionAutoConfiguration;
import io.quorlock.leader.LeaderElection;
import io.quorlock.leader.LeaderOnly;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for beans that are part of a circle: Spring makes their proxies early, and hands
 * the beans themselves to its post-processors.
 */
class CircularBeansTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LeaderElectionAutoConfiguration.class))
		.withAllowCircularReferences(true)
		.withUserConfiguration(SchedulingConfiguration.class, Partner.class)
		.withPropertyValues("distributed-lock.backend=in-memory", "distributed-lock.leader.roles=importer");

	private final ApplicationContextRunner classProxyRunner = this.contextRunner
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class));

	@ParameterizedTest
	@ValueSource(classes = { LockedJob.class, ScheduledLockJob.class, LeaderJob.class, ClasswideJob.class,
			SelfInjectedJob.class, SelfAskingJob.class, LazyPartnerJob.class, AsyncJob.class, AsyncSelfAskingJob.class,
			AsyncLockedJob.class, ListenerJob.class, EventListenerJob.class, TransactionalListenerJob.class,
			ActivatedJob.class })
	void whatSpringCallsIsLocked(Class<? extends Job> type) {
		this.classProxyRunner.withBean("job", type).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(LeaderElection.class).start();
			assertThat(Job.of(context).locked.get(10, TimeUnit.SECONDS)).isTrue();
		});
	}

	/** As Kafka, Rabbit and JMS listeners are registered. */
	@Test
	void whatAnyOtherPostProcessorRegistersIsLocked() {
		for (ApplicationContextRunner runner : List.of(this.contextRunner, this.classProxyRunner)) {
			runner.withBean("job", CallableJob.class)
				.withUserConfiguration(RegistrarConfiguration.class)
				.run((context) -> {
					Registrar registrar = context.getBean(Registrar.class);
					Callable<?> registered = Objects.requireNonNull(registrar.registered);
					assertThat(registered).isSameAs(context.getBean("job"));
					assertThat(registered.call()).isEqualTo(true);
				});
		}
	}

	@Test
	void methodOfAnInterfaceIsLockedBehindAJdkProxy() {
		this.contextRunner.withBean("job", InterfaceJob.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(InterfaceJob.locked.get(10, TimeUnit.SECONDS)).isTrue();
		});
	}

	@Test
	void bodyOfAnInterfaceIsLocked() {
		for (ApplicationContextRunner runner : List.of(this.contextRunner, this.classProxyRunner)) {
			DefaultMethodJob.locked = new CompletableFuture<>();
			runner.withBean("job", DefaultMethodJob.class).run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(DefaultMethodJob.locked.get(10, TimeUnit.SECONDS)).isTrue();
			});
		}
	}

	@Test
	void beansWithoutLocksAreNotTouched() {
		this.classProxyRunner.withBean("job", PlainJob.class)
			.withUserConfiguration(RegistrarConfiguration.class)
			.run((context) -> assertThat(context.getBean(Registrar.class).registered).isSameAs(context.getBean("job")));
	}

	@Test
	void partnerHasTheProxyThatEverybodyHas() {
		this.classProxyRunner.withBean("job", LockedJob.class)
			.run((context) -> assertThat(context.getBean(Partner.class).job).isSameAs(context.getBean("job")));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@EnableAsync(proxyTargetClass = true)
	@EnableIntegration
	static class SchedulingConfiguration {

		@Bean
		static TransactionalEventListenerFactory transactionalEventListenerFactory() {
			return new TransactionalEventListenerFactory();
		}

		@Bean
		static DirectChannel channel() {
			return new DirectChannel();
		}

		@EventListener
		void refreshed(ContextRefreshedEvent event) {
			event.getApplicationContext()
				.getBeanProvider(ActivatedJob.class)
				.ifAvailable((job) -> event.getApplicationContext()
					.getBean(DirectChannel.class)
					.send(new GenericMessage<>("message")));
		}

	}

	/** Has the job, and the job has it. */
	static class Partner {

		private final Object job;

		Partner(ApplicationContext context) {
			this.job = context.getBean("job");
		}

	}

	abstract static class Job {

		CompletableFuture<Boolean> locked = new CompletableFuture<>();

		@Nullable Partner partner;

		@Autowired
		void setPartner(Partner partner) {
			this.partner = partner;
		}

		protected void done() {
			this.locked.complete(LockContext.current().isPresent());
		}

		/** The fields of a proxy are not those of the bean. */
		Supplier<Job> self() {
			return () -> this;
		}

		static Job of(ApplicationContext context) {
			return ((Job) context.getBean("job")).self().get();
		}

	}

	static class LockedJob extends Job {

		@DistributedLock("job")
		@Scheduled(fixedDelay = 10)
		void run() {
			done();
		}

	}

	static class ScheduledLockJob extends Job {

		@ScheduledLock("job")
		@Scheduled(fixedDelay = 10)
		void run() {
			done();
		}

	}

	static class LeaderJob extends Job {

		@LeaderOnly("importer")
		@Scheduled(fixedDelay = 10)
		void run() {
			done();
		}

	}

	@DistributedLock("job")
	static class ClasswideJob extends Job {

		@Scheduled(fixedDelay = 10)
		public void run() {
			done();
		}

	}

	static class SelfInjectedJob extends LockedJob {

		@Autowired
		@Nullable SelfInjectedJob self;

	}

	static class SelfAskingJob extends Job {

		@Autowired
		@Nullable ApplicationContext context;

		@PostConstruct
		void ask() {
			assertThat(this.context).isNotNull();
			assertThat(this.context.getBean(SelfAskingJob.class)).isNotNull();
		}

		@DistributedLock("job")
		@Scheduled(fixedDelay = 10)
		void run() {
			done();
		}

	}

	static class LazyPartnerJob extends LockedJob {

		@Autowired
		@Lazy
		@Nullable LazyPartnerJob self;

	}

	static class AsyncJob extends LockedJob {

		@Async
		void later() {
		}

	}

	static class AsyncSelfAskingJob extends SelfAskingJob {

		@Async
		void later() {
		}

	}

	static class AsyncLockedJob extends Job {

		@Async
		@DistributedLock("job")
		@EventListener(ContextRefreshedEvent.class)
		void later() {
			done();
		}

	}

	static class TransactionalListenerJob extends Job {

		@DistributedLock("job")
		@TransactionalEventListener(classes = ContextRefreshedEvent.class, fallbackExecution = true)
		void refreshed() {
			done();
		}

	}

	static class ActivatedJob extends Job {

		@DistributedLock("job")
		@ServiceActivator(inputChannel = "channel")
		void receive(String message) {
			done();
		}

	}

	interface DefaultMethod {

		@DistributedLock("job")
		@Scheduled(fixedDelay = 10)
		default void run() {
			DefaultMethodJob.locked.complete(LockContext.current().isPresent());
		}

	}

	static class DefaultMethodJob implements DefaultMethod {

		static CompletableFuture<Boolean> locked = new CompletableFuture<>();

		@Autowired
		@Nullable Partner partner;

	}

	static class ListenerJob extends Job implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		@DistributedLock("job")
		public void onApplicationEvent(ContextRefreshedEvent event) {
			done();
		}

	}

	static class EventListenerJob extends Job {

		@DistributedLock("job")
		@EventListener(ContextRefreshedEvent.class)
		void refreshed() {
			done();
		}

	}

	static class CallableJob extends Job implements Callable<Boolean> {

		@Override
		@DistributedLock("job")
		public Boolean call() {
			return LockContext.current().isPresent();
		}

	}

	static class PlainJob extends Job implements Callable<Boolean> {

		@Override
		public Boolean call() {
			return LockContext.current().isPresent();
		}

	}

	interface Run {

		@DistributedLock("job")
		void run();

	}

	static class InterfaceJob implements Run {

		static CompletableFuture<Boolean> locked = new CompletableFuture<>();

		@Autowired
		@Nullable Partner partner;

		@Override
		@Scheduled(fixedDelay = 10)
		public void run() {
			locked.complete(LockContext.current().isPresent());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RegistrarConfiguration {

		@Bean
		static Registrar registrar() {
			return new Registrar();
		}

	}

	static class Registrar implements BeanPostProcessor, Ordered {

		private @Nullable Callable<?> registered;

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (bean instanceof Callable<?> callable) {
				this.registered = callable;
			}
			return bean;
		}

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

	}

}
