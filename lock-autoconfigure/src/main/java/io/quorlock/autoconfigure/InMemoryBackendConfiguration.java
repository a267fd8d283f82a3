package io.quorlock.autoconfigure;

import java.util.List;
import java.util.Map;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.engine.EngineClock;
import io.quorlock.memory.InMemoryLockNode;

/**
 * Configuration of the backend in the memory of this process.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnLockBackend(Backend.IN_MEMORY)
class InMemoryBackendConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockBackend distributedLockBackend(EngineClock clock) {
		return new LockBackend("in-memory", List.of(new InMemoryLockNode("memory", clock)), Map::of, true);
	}

}
