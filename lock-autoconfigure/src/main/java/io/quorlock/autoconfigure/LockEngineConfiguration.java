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

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.EngineSettings;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreObserver;
import io.quorlock.store.StoreStatus;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;

/**
 * Configuration of the engine over the {@link LockBackend}, and of the beans that use it.
 */
@Configuration(proxyBeanMethods = false)
class LockEngineConfiguration {

	private static final String CALLBACK_PREFIX = "quorlock-callback-";

	@Bean
	@ConditionalOnMissingBean
	EngineSettings distributedLockEngineSettings(LockProperties properties, Environment environment) {
		return LockSettingsFactory.createEngineSettings(properties, environment, properties.operationTimeout());
	}

	@Bean
	@ConditionalOnMissingBean
	LockClock distributedLockClock() {
		return new SystemClock();
	}

	/** A child context uses the engine of its parent, whose nodes it has. */
	@Bean
	@ConditionalOnMissingBean
	LockEngineLifecycle distributedLockEngineLifecycle(EngineSettings settings, LockProperties properties,
			LockBackend backend, LockClock clock, ObjectProvider<LockListener> listeners,
			ObjectProvider<StoreObserver> storeObservers, ObjectProvider<RequestObserver> requestObservers,
			Environment environment) {
		QuorumSettings quorumSettings = LockSettingsFactory.createQuorumSettings(properties, settings.instanceId());
		LeaseStoreFactory quorum = (storeClock, timer, observers) -> new QuorumStore(quorumSettings, backend.nodes(),
				storeClock, timer, observers);
		LeaseStoreFactory factory = (backend.store() != null) ? backend.store() : quorum;
		return new LockEngineLifecycle(settings, factory, clock, callbacks(environment),
				listeners.orderedStream().toList(), storeObservers.orderedStream().toList(),
				requestObservers.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	LockEngine distributedLockEngine(LockEngineLifecycle lifecycle) {
		return lifecycle.engine();
	}

	@Bean
	@ConditionalOnMissingBean
	LockInspector distributedLockInspector(LockEngine engine) {
		return new LockInspector(engine);
	}

	@Bean
	@ConditionalOnMissingBean
	LockTemplate distributedLockTemplate(LockEngine engine, ObjectProvider<LockTemplateDecorator> decorators) {
		LockTemplate template = new DefaultLockTemplate(engine);
		for (LockTemplateDecorator decorator : decorators.orderedStream().toList()) {
			template = decorator.decorate(template);
		}
		return template;
	}

	@Bean
	@ConditionalOnMissingBean
	LockStartupReport distributedLockStartupReport(LockProperties properties, LockBackend backend,
			LockInspector inspector) {
		return new LockStartupReport(properties, backend, inspector);
	}

	@Bean
	LockEventPublisher distributedLockEventPublisher(ApplicationEventPublisher publisher) {
		return new LockEventPublisher(publisher);
	}

	/**
	 * Create the threads for user code, which may block: as many as are needed, virtual
	 * ones if the application has enabled them.
	 */
	static ExecutorService callbacks(Environment environment) {
		CustomizableThreadFactory daemons = new CustomizableThreadFactory(CALLBACK_PREFIX);
		daemons.setDaemon(true);
		return Executors.newCachedThreadPool(Threading.VIRTUAL.isActive(environment)
				? new VirtualThreadTaskExecutor(CALLBACK_PREFIX).getVirtualThreadFactory() : daemons);
	}

	/**
	 * Publishes every {@link LockLostEvent} and {@link LockAtRiskEvent} as an application
	 * event.
	 */
	static class LockEventPublisher implements LockListener {

		private static final Log logger = LogFactory.getLog(LockEventPublisher.class);

		private final ApplicationEventPublisher publisher;

		LockEventPublisher(ApplicationEventPublisher publisher) {
			this.publisher = publisher;
		}

		@Override
		public Set<Event> events() {
			return EnumSet.of(Event.AT_RISK, Event.LOST);
		}

		@Override
		public void onAtRisk(LockRequest request, LockAtRiskEvent event) {
			publish(event);
		}

		@Override
		public void onLost(LockRequest request, LockLostEvent event) {
			publish(event);
		}

		private void publish(Object event) {
			try {
				this.publisher.publishEvent(event);
			}
			catch (BeanCreationNotAllowedException ex) {
				// Such as that of a context whose start failed: the cause is logged
				// already.
				logger.debug("Not all listeners received " + event + ": the context is being destroyed", ex);
			}
		}

	}

	/**
	 * Logs once at startup where locks are kept, and with which settings.
	 */
	record LockStartupReport(LockProperties properties, LockBackend backend,
			LockInspector inspector) implements SmartInitializingSingleton {

		private static final Log logger = LogFactory.getLog(LockStartupReport.class);

		@Override
		public void afterSingletonsInstantiated() {
			if (!this.properties.enabled()) {
				logger.warn("Locks are disabled (distributed-lock.enabled=false): they are kept in the memory of this"
						+ " process and exclude no other instance. Remove the property where several instances run.");
				return;
			}
			logger.info("Distributed locks: backend %s, %s, lease %s, fencing %s%s".formatted(this.backend.name(),
					servers(), LockProperties.text(this.properties.leaseTime()),
					this.properties.fencing().enabled() ? "on" : "off",
					this.backend.local() ? "; other instances do not see these locks" : ""));
		}

		private String servers() {
			Map<String, StoreStatus> groups = this.inspector.status().groups();
			if (!groups.isEmpty()) {
				return groups.entrySet()
					.stream()
					.map((group) -> "group %s %s, quorum %d of %d".formatted(group.getKey(),
							group.getValue().nodes().stream().map(NodeState::name).toList(),
							group.getValue().required(), group.getValue().nodes().size()))
					.collect(Collectors.joining(", "));
			}
			if (this.backend.store() != null) {
				return "servers " + this.inspector.status().nodes().stream().map(NodeState::name).toList();
			}
			int nodes = this.backend.nodes().size();
			return "nodes %s, quorum %d of %d".formatted(this.backend.nodes().stream().map(LockNode::name).toList(),
					nodes / 2 + 1, nodes);
		}

	}

}
