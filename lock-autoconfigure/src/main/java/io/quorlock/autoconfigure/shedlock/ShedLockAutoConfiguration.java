package io.quorlock.autoconfigure.shedlock;

import net.javacrumbs.shedlock.core.LockProvider;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.shedlock.QuorlockLockProvider;

/**
 * {@link AutoConfiguration Auto-configuration} for a ShedLock {@link LockProvider}, for
 * an application that has none.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(LockProvider.class)
public final class ShedLockAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockProvider.class)
	QuorlockLockProvider distributedLockShedLockProvider(LockTemplate template, LockProperties properties) {
		return new QuorlockLockProvider(template, properties.getMaxLeaseTime());
	}

}
