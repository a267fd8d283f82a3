package io.quorlock.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

import io.quorlock.LockTemplate;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.EngineClock;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.LockSettings;
import io.quorlock.engine.SystemClock;
import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeObserver;

/**
 * The engine over the nodes of the {@link LockBackend}, and what stands on it.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "distributed-lock.enabled", matchIfMissing = true)
@Import({ EmbeddedBackendConfiguration.class, RedlockBackendConfiguration.class, RedisBackendConfiguration.class,
		InMemoryBackendConfiguration.class, ApplicationNodesConfiguration.class, UnavailableBackendConfiguration.class,
		LockTransactionConfiguration.class })
class LockEngineConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockSettings distributedLockSettings(LockProperties properties, Environment environment) {
		return new LockSettingsFactory(properties).create(InstanceId.of(environment));
	}

	@Bean
	@ConditionalOnMissingBean
	EngineClock distributedLockClock() {
		return new SystemClock();
	}

	@Bean
	LockEngineLifecycle distributedLockEngineLifecycle(LockSettings settings, LockBackend backend, EngineClock clock,
			ObjectProvider<LockNodeCustomizer> customizers, ObjectProvider<LockListener> listeners,
			ObjectProvider<NodeObserver> nodeObservers, ObjectProvider<RequestObserver> requestObservers,
			Environment environment) {
		List<LockNode> nodes = backend.nodes().stream().map((node) -> customize(node, customizers)).toList();
		return new LockEngineLifecycle(settings, nodes, clock, CallbackThreads.create(environment),
				listeners.orderedStream().toList(), nodeObservers.orderedStream().toList(),
				requestObservers.orderedStream().toList());
	}

	private static LockNode customize(LockNode node, ObjectProvider<LockNodeCustomizer> customizers) {
		LockNode customized = node;
		for (LockNodeCustomizer customizer : customizers.orderedStream().toList()) {
			customized = customizer.customize(customized);
		}
		return customized;
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
	LockStartupReport distributedLockStartupReport(LockProperties properties, LockBackend backend) {
		return new LockStartupReport(properties, backend);
	}

	@Bean
	LockLostEventPublisher distributedLockLostEventPublisher(ApplicationEventPublisher publisher) {
		return new LockLostEventPublisher(publisher);
	}

}
