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

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

import io.quorlock.actuate.LockConsole;

/**
 * {@link ManagementContextConfiguration Management context configuration} for the
 * {@link LockConsole}: it is beside the endpoints, on their port.
 *
 * @since 0.1.0
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(SimpleUrlHandlerMapping.class)
@ConditionalOnBooleanProperty("distributed-lock.console.enabled")
public class LockConsoleManagementContextConfiguration {

	private static final EndpointId LOCKS = EndpointId.of("locks");

	/** Before the mapping of static resources, behind that of the endpoints. */
	private static final int ORDER = -99;

	@Bean
	SimpleUrlHandlerMapping distributedLockConsoleHandlerMapping(WebEndpointProperties properties,
			ObjectProvider<PathMappedEndpoints> endpoints, ObjectProvider<EndpointAccessResolver> access) {
		PathMappedEndpoints mapped = endpoints.getIfAvailable();
		@Nullable String path = (mapped != null) ? mapped.getRootPath(LOCKS) : null;
		EndpointAccessResolver resolver = access.getIfAvailable();
		boolean unrestricted = resolver != null && resolver.accessFor(LOCKS, Access.READ_ONLY) == Access.UNRESTRICTED;
		LockConsole console = new LockConsole((path != null) ? path : "locks", unrestricted);
		return new SimpleUrlHandlerMapping(Map.of(properties.getBasePath() + "/lock-console", console), ORDER);
	}

}
