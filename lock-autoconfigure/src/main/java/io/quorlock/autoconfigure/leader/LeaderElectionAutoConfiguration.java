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

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

import io.quorlock.LockTemplate;
import io.quorlock.aop.LockProxyRegistrar;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.engine.LockInspector;
import io.quorlock.leader.DefaultLeaderElection;
import io.quorlock.leader.LeaderElection;
import io.quorlock.leader.LeaderOnly;
import io.quorlock.leader.LeaderOnlyAdvisor;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LeaderElection} and
 * {@link LeaderOnly @LeaderOnly}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnBean({ LockTemplate.class, LockProperties.class })
@Import(LockProxyRegistrar.class)
public final class LeaderElectionAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeaderElection distributedLockLeaderElection(LockProperties properties, LockTemplate template,
			ApplicationEventPublisher publisher, LockInspector inspector) {
		return new DefaultLeaderElection(properties.leader().roles(), inspector.instanceId(), template, publisher);
	}

	/** The election of a parent context does not end with its child. */
	@Bean
	@ConditionalOnMissingBean
	LeaderElectionLifecycle distributedLockLeaderElectionLifecycle(LeaderElection election, LockProperties properties,
			ApplicationContext context) {
		return new LeaderElectionLifecycle(election, properties.leader().autoStart(), context);
	}

	/** Outside the lock and the transaction: a skipped call needs neither. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LeaderOnlyAdvisor distributedLockLeaderOnlyAdvisor(ConfigurableBeanFactory beanFactory,
			ObjectProvider<LeaderElection> election, Environment environment) {
		int lockOrder = environment.getProperty("distributed-lock.order", int.class, LockProperties.DEFAULT_ORDER);
		return new LeaderOnlyAdvisor(beanFactory, election::getObject, Math.max(lockOrder, Integer.MIN_VALUE + 1) - 1);
	}

	/**
	 * Competes while the application is ready and its context runs. When the context is
	 * closed, leadership ends before any bean is stopped, so that what is led still works
	 * when it is notified.
	 */
	static final class LeaderElectionLifecycle implements SmartLifecycle {

		private final LeaderElection election;

		private final boolean autoStart;

		private final ApplicationContext context;

		private volatile boolean ready;

		private volatile boolean running;

		/**
		 * Whether the application had started the election when its context was paused.
		 */
		private volatile boolean paused;

		LeaderElectionLifecycle(LeaderElection election, boolean autoStart, ApplicationContext context) {
			this.election = election;
			this.autoStart = autoStart;
			this.context = context;
		}

		@EventListener
		@Order(Ordered.LOWEST_PRECEDENCE)
		void onReady(ApplicationReadyEvent event) {
			this.ready = true;
			if (this.running && this.autoStart) {
				this.election.start();
			}
		}

		/**
		 * Beans without a phase of their own are stopped in the same phase as this one.
		 */
		@EventListener
		@Order(Ordered.HIGHEST_PRECEDENCE)
		void onClosed(ContextClosedEvent event) {
			if (event.getApplicationContext() == this.context) {
				this.election.stop();
			}
		}

		@Override
		public void start() {
			this.running = true;
			if (this.paused || (this.ready && this.autoStart)) {
				this.paused = false;
				this.election.start(); // the context was paused
			}
		}

		@Override
		public void stop() {
			this.running = false;
			this.paused = this.election instanceof DefaultLeaderElection own && own.isStarted();
			this.election.stop();
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return SmartLifecycle.DEFAULT_PHASE;
		}

	}

}
