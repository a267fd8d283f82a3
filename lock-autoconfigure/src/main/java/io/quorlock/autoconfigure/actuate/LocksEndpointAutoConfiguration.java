package io.quorlock.autoconfigure.actuate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

import io.quorlock.actuate.LockDescriptors;
import io.quorlock.actuate.LocksEndpoint;
import io.quorlock.actuate.NodeStatistics;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.engine.LockInspector;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LocksEndpoint}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass({ SanitizingFunction.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(LockInspector.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
@EnableConfigurationProperties(LocksEndpointProperties.class)
public final class LocksEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	NodeStatistics distributedLockNodeStatistics() {
		return new NodeStatistics();
	}

	@Bean
	@ConditionalOnMissingBean
	LocksEndpoint distributedLocksEndpoint(LockInspector inspector, NodeStatistics statistics,
			LocksEndpointProperties properties, ObjectProvider<SanitizingFunction> sanitizingFunctions,
			ApplicationEventPublisher publisher) {
		LockDescriptors descriptors = new LockDescriptors(statistics, sanitizingFunctions.orderedStream().toList(),
				properties.getShowValues(), properties.getRoles());
		return new LocksEndpoint(inspector, descriptors, publisher);
	}

}
