package io.quorlock.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.quorlock.metrics.LockMeterObservationHandler;

/**
 * Takes the place of Boot's own handler for the observations of locks. Of a group only
 * the first handler that fits is asked, so that nothing is counted twice; where there is
 * no such group, or the application has a handler of its own, it is left to them.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ ObservationRegistry.class, MeterObservationHandler.class, MetricsProperties.class })
@ConditionalOnBean(value = { ObservationRegistry.class, MeterRegistry.class, DefaultMeterObservationHandler.class,
		MetricsProperties.class }, name = "metricsObservationHandlerGroup")
@ConditionalOnSingleCandidate(MeterObservationHandler.class)
class LockMeterObservationHandlerConfiguration {

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE - 1)
	LockMeterObservationHandler distributedLockMeterObservationHandler(MeterRegistry registry,
			MetricsProperties properties) {
		return new LockMeterObservationHandler(registry,
				!properties.getObservations().getIgnoredMeters().contains(IgnoredMeters.LONG_TASK_TIMER));
	}

}
