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

package io.quorlock.autoconfigure.leader;

import java.util.ArrayList;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.mock.env.MockEnvironment;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.leader.LeaderElectionAutoConfiguration.LeaderElectionLifecycle;
import io.quorlock.autoconfigure.metrics.LockMetricsAutoConfiguration;
import io.quorlock.leader.DefaultLeaderElection;
import io.quorlock.leader.LeaderElection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link LeaderElectionLifecycle}.
 */
class LeaderElectionLifecycleTests {

	private final LeaderElection election = mock(LeaderElection.class);

	private final ApplicationContext context = mock(ApplicationContext.class);

	private final LeaderElectionLifecycle lifecycle = lifecycle(true);

	private LeaderElectionLifecycle lifecycle(boolean autoStart) {
		return new LeaderElectionLifecycle(this.election, autoStart, this.context);
	}

	@Test
	void competesOnceTheApplicationIsReady() {
		this.lifecycle.start();
		verify(this.election, never()).start();
		this.lifecycle.onReady(mock(ApplicationReadyEvent.class));
		verify(this.election).start();
	}

	@Test
	void competesAgainAfterAPause() {
		this.lifecycle.start();
		this.lifecycle.onReady(mock(ApplicationReadyEvent.class));
		this.lifecycle.stop();
		verify(this.election).stop();
		assertThat(this.lifecycle.isRunning()).isFalse();
		this.lifecycle.start();
		assertThat(this.lifecycle.isRunning()).isTrue();
		verify(this.election, times(2)).start();
	}

	@Test
	void doesNotCompeteIfItWasPausedBeforeTheApplicationWasReady() {
		this.lifecycle.start();
		this.lifecycle.stop();
		this.lifecycle.onReady(mock(ApplicationReadyEvent.class));
		verify(this.election, never()).start();
	}

	@Test
	void doesNotCompeteUnlessItIsToStartByItself() {
		LeaderElectionLifecycle manual = lifecycle(false);
		manual.start();
		manual.onReady(mock(ApplicationReadyEvent.class));
		manual.start();
		verify(this.election, never()).start();
	}

	@Test
	void electionThatWasStartedByHandGoesOnAfterAPause() {
		DefaultLeaderElection election = mock(DefaultLeaderElection.class);
		LeaderElectionLifecycle manual = new LeaderElectionLifecycle(election, false, this.context);
		manual.start();
		manual.stop();
		manual.start();
		verify(election, never()).start();
		given(election.isStarted()).willReturn(true);
		manual.stop();
		given(election.isStarted()).willReturn(false);
		verify(election, never()).start();
		manual.start();
		verify(election).start();
		manual.stop();
		manual.start();
		verify(election).start();
	}

	/** What is led still works when it is told, since no bean was stopped yet. */
	@Test
	void leadershipEndsAsItsContextIsClosedAndWithNoOther() {
		this.lifecycle.start();
		this.lifecycle.onClosed(new ContextClosedEvent(mock(ApplicationContext.class)));
		verify(this.election, never()).stop();
		this.lifecycle.onClosed(new ContextClosedEvent(this.context));
		verify(this.election).stop();
	}

	/** A pause stops what is led, and the locks, behind it. */
	@Test
	void leadershipEndsBeforeAnyOtherPhase() {
		assertThat(this.lifecycle.getPhase()).isEqualTo(Integer.MAX_VALUE);
	}

	/** They may end what is led. */
	@Test
	void leadershipEndsBeforeTheApplicationHearsThatTheContextIsClosed() {
		List<String> calls = new ArrayList<>();
		willAnswer((invocation) -> calls.add("stop")).given(this.election).stop();
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.registerBean(Closing.class, () -> new Closing(calls));
			context.registerBean(LeaderElectionLifecycle.class,
					() -> new LeaderElectionLifecycle(this.election, true, context));
			context.refresh();
		}
		assertThat(calls).startsWith("stop", "closing");
	}

	record Closing(List<String> calls) {

		@EventListener
		void onClosed(ContextClosedEvent event) {
			this.calls.add("closing");
		}

	}

	/** The registry is configured before the election is. */
	@Test
	void gaugeOfARoleIsInTheRegistryOfTheApplication() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LeaderElectionAutoConfiguration.class,
					LockMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.withPropertyValues("distributed-lock.backend=in-memory", "distributed-lock.leader.roles=importer")
			.run((context) -> assertThat(context.getBean(MeterRegistry.class)
				.get("distributed.lock.leader")
				.tag("role", "importer")
				.gauge()
				.value()).isZero());
	}

	/** A call that is skipped needs neither the lock nor the transaction. */
	@Test
	void guardIsJustOutsideTheLock() {
		assertThat(orderOfTheGuard(null)).isEqualTo(LockProperties.DEFAULT_ORDER - 1);
		assertThat(orderOfTheGuard("7")).isEqualTo(6);
		assertThat(orderOfTheGuard("-2147483648")).isEqualTo(Integer.MIN_VALUE);
	}

	@SuppressWarnings("unchecked")
	private int orderOfTheGuard(@Nullable String order) {
		MockEnvironment environment = new MockEnvironment();
		if (order != null) {
			environment.setProperty("distributed-lock.order", order);
		}
		return LeaderElectionAutoConfiguration
			.distributedLockLeaderOnlyAdvisor(new DefaultListableBeanFactory(), mock(ObjectProvider.class), environment)
			.getOrder();
	}

}
