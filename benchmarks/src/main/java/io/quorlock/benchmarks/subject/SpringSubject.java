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

package io.quorlock.benchmarks.subject;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.actuate.LocksEndpointAutoConfiguration;
import io.quorlock.autoconfigure.metrics.LockMetricsAutoConfiguration;

/**
 * This library as Spring Boot configures it, with more or less observability.
 */
final class SpringSubject implements LockSubject {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private final ConfigurableApplicationContext context;

	private final LockTemplate template;

	private SpringSubject(Class<?> configuration, List<Integer> ports) {
		this.context = new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "distributed-lock.nodes=" + uris(ports),
					"distributed-lock.key-prefix=" + configuration.getSimpleName() + ports.size() + ":",
					"distributed-lock.restart-quarantine=0s",
					"management.metrics.distribution.percentiles-histogram.distributed.lock=true",
					"management.endpoints.web.exposure.include=*")
			.logStartupInfo(false)
			.run();
		this.template = this.context.getBean(LockTemplate.class);
		this.template.acquire(LockRequest.of("start").waitTime(WAIT)).close();
	}

	static SpringSubject unobserved(List<Integer> ports) {
		return new SpringSubject(Unobserved.class, ports);
	}

	static SpringSubject metered(List<Integer> ports) {
		return new SpringSubject(Metered.class, ports);
	}

	static SpringSubject observed(List<Integer> ports) {
		return new SpringSubject(Observed.class, ports);
	}

	private static String uris(List<Integer> ports) {
		return ports.stream().map((port) -> "redis://127.0.0.1:" + port).collect(Collectors.joining(","));
	}

	@Override
	public Hold lock(String name) {
		LockHandle handle = this.template.acquire(LockRequest.of("order").key(name).waitTime(WAIT));
		return handle::close;
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** Locks without observability. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LockAutoConfiguration.class)
	static class Unobserved {

	}

	/** With meters for Prometheus, their histograms switched on. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LockAutoConfiguration.class, MetricsAutoConfiguration.class,
			CompositeMeterRegistryAutoConfiguration.class, PrometheusMetricsExportAutoConfiguration.class,
			LockMetricsAutoConfiguration.class })
	static class Metered {

	}

	/**
	 * All observability: meters, histograms, observations that create the timers, and the
	 * statistics of the endpoint.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LockAutoConfiguration.class, MetricsAutoConfiguration.class,
			CompositeMeterRegistryAutoConfiguration.class, PrometheusMetricsExportAutoConfiguration.class,
			ObservationAutoConfiguration.class, LockMetricsAutoConfiguration.class,
			LocksEndpointAutoConfiguration.class })
	static class Observed {

	}

}
