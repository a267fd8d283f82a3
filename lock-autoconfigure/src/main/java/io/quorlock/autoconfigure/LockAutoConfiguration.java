package io.quorlock.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

import io.quorlock.LockTemplate;

/**
 * {@link AutoConfiguration Auto-configuration} for distributed locks: an engine over the
 * configured {@link LockBackend backend}, a {@link LockTemplate}, and the annotation.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@EnableConfigurationProperties(LockProperties.class)
@Import({ LockEngineConfiguration.class, LocksDisabledConfiguration.class, LockAdvisorConfiguration.class })
public final class LockAutoConfiguration {

}
