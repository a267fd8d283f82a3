package io.quorlock.test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.engine.EngineSettings;
import io.quorlock.engine.LockInspector;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link AutoConfigureTestLocks}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
public final class TestLocksAutoConfiguration {

	@Bean
	@ConditionalOnBean(EngineSettings.class) // absent when locks are switched off
	@ConditionalOnMissingBean
	LockSimulator distributedLockSimulator(ObjectProvider<LockInspector> inspector) {
		return new LockSimulator(inspector::getObject);
	}

}
