package io.quorlock.autoconfigure.health;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.engine.LockInspector;
import io.quorlock.health.LockHealthIndicator;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LockHealthIndicator}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(LockInspector.class)
@ConditionalOnEnabledHealthIndicator("distributed-lock")
public final class LockHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "distributedLockHealthIndicator", "distributedLockHealthContributor" })
	LockHealthIndicator distributedLockHealthIndicator(LockInspector inspector, LockBackend backend) {
		return new LockHealthIndicator(inspector, backend.notes(), backend.local());
	}

}
