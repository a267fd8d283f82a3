package io.quorlock.autoconfigure.integration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.integration.QuorlockLockRegistry;

/**
 * {@link AutoConfiguration Auto-configuration} for a Spring Integration
 * {@link LockRegistry}, for an application that has none.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
public final class LockRegistryAutoConfiguration {

	private static final String REGISTRY_KEY = "integration";

	@Bean
	@ConditionalOnMissingBean(LockRegistry.class)
	QuorlockLockRegistry distributedLockRegistry(LockTemplate template, LockProperties properties) {
		return new QuorlockLockRegistry(template, REGISTRY_KEY, properties.getLeaseTime());
	}

}
