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

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;
import org.springframework.util.CollectionUtils;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.quorum.node.LockNode;

/**
 * Chooses the backend: the beans of the application, else the configured backend, else
 * the first that is available.
 */
class OnLockBackendCondition extends SpringBootCondition implements ConfigurationCondition {

	private static final String EMBEDDED_REDIS = "io.quorlock.embedded.EmbeddedRedis";

	private static final String REDIS_CONNECTION_FACTORY = "org.springframework.data.redis.connection.RedisConnectionFactory";

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnLockBackend.class);
		Backend[] accepted = (Backend[]) metadata.getAnnotations()
			.get(ConditionalOnLockBackend.class)
			.getValue("value")
			.orElseThrow();
		if (!context.getEnvironment().getProperty("distributed-lock.enabled", Boolean.class, true)) {
			return new ConditionOutcome(Arrays.asList(accepted).contains(Backend.IN_MEMORY),
					message.because("locks are disabled"));
		}
		if (hasBean(context, LockBackend.class) || hasBean(context, LockNode.class)) {
			return ConditionOutcome.noMatch(message.because("the application has nodes of its own"));
		}
		Backend backend = backend(context);
		String reason = (backend != null) ? "the backend is " + backend
				: "both ZooKeeper and a RedisConnectionFactory bean could keep the locks";
		return new ConditionOutcome(Arrays.asList(accepted).contains(backend), message.because(reason));
	}

	private @Nullable Backend backend(ConditionContext context) {
		Binder binder = Binder.get(context.getEnvironment());
		Backend configured = binder.bind("distributed-lock.backend", Backend.class).orElse(null);
		boolean embeddedZooKeeper = hasText(binder, "distributed-lock.embedded.zookeeper");
		if (embeddedZooKeeper && (configured == null || configured == Backend.EMBEDDED)) {
			return Backend.ZOOKEEPER;
		}
		if (configured != null) {
			return configured;
		}
		List<String> nodes = binder.bind("distributed-lock.nodes", Bindable.listOf(String.class)).orElse(null);
		boolean groups = binder
			.bind("distributed-lock.groups", Bindable.mapOf(String.class, LockProperties.Group.class))
			.isBound();
		if (groups || !CollectionUtils.isEmpty(nodes) || hasBean(context, LockConnectionDetails.class)) {
			return Backend.REDLOCK;
		}
		boolean zooKeeper = hasText(binder, "distributed-lock.zookeeper.connect-string");
		if (zooKeeper || hasBean(context, LockZooKeeperConnectionDetails.class)) {
			// With both, it is unclear which one is meant, so the start fails.
			return hasRedisConnectionFactory(context) ? null : Backend.ZOOKEEPER;
		}
		if (hasRedisConnectionFactory(context)) {
			return Backend.REDIS;
		}
		if (isPresent(context, EMBEDDED_REDIS) && LockModules.hasJedis(context.getClassLoader())
				&& LockModules.hasRedis(context.getClassLoader()) && !isPackaged(context)) {
			return Backend.EMBEDDED;
		}
		return Backend.REDLOCK; // its failure analysis reports the missing nodes
	}

	/** An empty value, of a placeholder say, is as good as none. */
	private static boolean hasText(Binder binder, String property) {
		return StringUtils.hasText(binder.bind(property, String.class).orElse(null));
	}

	/** Embedded servers exclude nothing outside the process: for development only. */
	private static boolean isPackaged(ConditionContext context) {
		return Packaging.isPackaged(Objects.requireNonNull(context.getBeanFactory()), context.getEnvironment());
	}

	private static boolean hasRedisConnectionFactory(ConditionContext context) {
		if (!LockModules.hasRedis(context.getClassLoader()) || !isPresent(context, REDIS_CONNECTION_FACTORY)) {
			return false;
		}
		return hasBean(context, ClassUtils.resolveClassName(REDIS_CONNECTION_FACTORY, context.getClassLoader()));
	}

	/** In a parent context, too, as all other conditions have it. */
	private static boolean hasBean(ConditionContext context, Class<?> type) {
		ConfigurableListableBeanFactory beanFactory = Objects.requireNonNull(context.getBeanFactory());
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, type, true, false).length > 0;
	}

	private static boolean isPresent(ConditionContext context, String className) {
		return ClassUtils.isPresent(className, context.getClassLoader());
	}

}
