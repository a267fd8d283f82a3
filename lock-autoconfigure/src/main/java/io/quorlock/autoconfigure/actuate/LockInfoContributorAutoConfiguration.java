package io.quorlock.autoconfigure.actuate;

import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.quorlock.actuate.LockInfoContributor;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.engine.LockInspector;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LockInfoContributor}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnBean({ LockInspector.class, LockBackend.class })
@ConditionalOnEnabledInfoContributor("distributed-lock")
public final class LockInfoContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockInfoContributor distributedLockInfoContributor(LockBackend backend, LockInspector inspector) {
		return new LockInfoContributor(backend.name(), inspector);
	}

}
