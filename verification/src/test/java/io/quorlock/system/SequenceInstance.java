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

package io.quorlock.system;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.metrics.LockMetricsAutoConfiguration;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.event.LockListener;
import io.quorlock.integration.QuorlockLockRegistry;
import io.quorlock.system.SequenceServers.SetUp;

/**
 * An instance of an application for {@link RandomSequencesTests}, which may be stopped
 * while it is used.
 */
final class SequenceInstance implements AutoCloseable {

	final SetUp setUp;

	/** Tells apart the names of instances that do not exclude each other. */
	final String scope;

	final LockTemplate template;

	final LockedSteps steps;

	final LockInspector inspector;

	final QuorlockLockRegistry registry;

	final PlatformTransactionManager transactions;

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private volatile boolean disturbed = true;

	private volatile long disturbedUntilNanos;

	SequenceInstance(SetUp setUp, int number, List<String> properties) {
		this.setUp = setUp;
		this.scope = (setUp == SetUp.IN_MEMORY) ? number + "/" : "";
		TestPropertyValues.of(properties)
			.and("distributed-lock.instance-id=sequences@test:" + number)
			.applyTo(this.context);
		this.context.register(setUp.configuration(), Application.class);
		this.context.refresh();
		this.template = this.context.getBean(LockTemplate.class);
		this.steps = this.context.getBean(LockedSteps.class);
		this.inspector = this.context.getBean(LockInspector.class);
		this.registry = new QuorlockLockRegistry(this.template, "m", Duration.ofSeconds(2));
		this.transactions = this.context.getBean(PlatformTransactionManager.class);
		awaitReady();
	}

	private void awaitReady() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.ignoreExceptionsInstanceOf(LockException.class)
			.until(() -> this.template.tryAcquire(LockRequest.of("ready").waitTime(Duration.ofSeconds(1)))
				.map(SequenceInstance::closed)
				.orElse(false));
		this.disturbedUntilNanos = System.nanoTime();
		this.disturbed = false;
	}

	private static boolean closed(LockHandle handle) {
		handle.close();
		return true;
	}

	boolean property(String name, boolean byDefault) {
		return this.context.getEnvironment().getProperty("distributed-lock." + name, Boolean.class, byDefault);
	}

	String property(String name) {
		return this.context.getEnvironment().getProperty("distributed-lock." + name, "");
	}

	/** Stop and start it as its context does. */
	void restart(Duration pause) throws InterruptedException {
		this.disturbed = true;
		this.context.stop();
		Thread.sleep(pause.toMillis());
		this.context.start();
		awaitReady();
	}

	boolean isDisturbed() {
		return this.disturbed;
	}

	boolean isUndisturbedSince(long nanos) {
		return !this.disturbed && nanos - this.disturbedUntilNanos >= 0;
	}

	boolean isClosed() {
		return !this.context.isActive();
	}

	/** What is not as it must be if no lock is held or asked for. */
	String unrest() {
		Counts counts = this.context.getBean(Counts.class);
		long open = counts.acquired.get() - counts.released.get() - counts.lost.get();
		MeterRegistry meters = this.context.getBean(MeterRegistry.class);
		double active = meters.find("distributed.lock.active")
			.gauges()
			.stream()
			.mapToDouble((gauge) -> gauge.value())
			.sum();
		double waiting = meters.find("distributed.lock.waiting")
			.gauges()
			.stream()
			.mapToDouble((gauge) -> gauge.value())
			.sum();
		boolean quiet = this.inspector.held().isEmpty() && this.inspector.waiting().isEmpty()
				&& this.inspector.retained().isEmpty() && open == 0 && active == 0 && waiting == 0;
		return quiet ? "" : "held %s, waiting %s, retained %s, gauges %s and %s, %d grants without an end".formatted(
				this.inspector.held(), this.inspector.waiting(), this.inspector.retained(), active, waiting, open);
	}

	@Override
	public void close() {
		this.disturbed = true;
		this.context.close();
	}

	@Override
	public String toString() {
		return this.inspector.instanceId();
	}

	/** Counts the beginnings and ends of what is held. */
	static class Counts implements LockListener {

		private final AtomicLong acquired = new AtomicLong();

		private final AtomicLong released = new AtomicLong();

		private final AtomicLong lost = new AtomicLong();

		@Override
		public void onAcquired(LockRequest request, LockHandle handle, Duration waited, int attempts) {
			this.acquired.incrementAndGet();
		}

		@Override
		public void onReleased(LockRequest request, Duration held) {
			this.released.incrementAndGet();
		}

		@Override
		public void onLost(LockRequest request, LockLostEvent event) {
			this.lost.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	@ImportAutoConfiguration({ LockAutoConfiguration.class, LockMetricsAutoConfiguration.class })
	static class Application {

		@Bean
		LockedSteps steps() {
			return new LockedSteps();
		}

		@Bean
		Counts counts() {
			return new Counts();
		}

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		@Bean(destroyMethod = "shutdown")
		EmbeddedDatabase dataSource() {
			return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
		}

		@Bean
		DataSourceTransactionManager transactionManager(EmbeddedDatabase dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

	}

}
