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

package io.quorlock.autoconfigure.actuate;

import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.WebFilter;

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
				properties.showValues(), properties.roles());
		return new LocksEndpoint(inspector, descriptors, publisher);
	}

	/**
	 * An operation does not see the path of a request on WebFlux, so that the endpoint
	 * cannot refuse by itself what Actuator drops parts of.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	static class WebFluxConfiguration {

		@Bean
		WebFilter distributedLockPathFilter(ObjectProvider<PathMappedEndpoints> endpoints) {
			PathMappedEndpoints mapped = endpoints.getIfAvailable();
			String locks = ((mapped != null) ? mapped.getPath(EndpointId.of("locks")) : null) + "/";
			return (exchange, chain) -> {
				String path = exchange.getRequest().getPath().pathWithinApplication().value();
				try {
					if (path.startsWith(locks) && exchange.getRequest().getMethod() != HttpMethod.GET) {
						LocksEndpoint.requireUnambiguous(path);
					}
				}
				catch (InvalidEndpointRequestException ex) {
					return Mono.error(new ResponseStatusException(HttpStatus.BAD_REQUEST, ex.getReason(), ex));
				}
				return chain.filter(exchange);
			};
		}

	}

}
