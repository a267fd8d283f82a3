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

package io.quorlock.sample.nodes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/**
 * Starts the servers of the groups in {@code sample.groups}, three for each, and lists
 * them in {@code distributed-lock.groups}. This happens before the context is refreshed,
 * since groups are properties, and the ports are not known earlier.
 */
class DemoGroups implements ApplicationContextInitializer<GenericApplicationContext> {

	private static final Log logger = LogFactory.getLog(DemoGroups.class);

	private static final String PROPERTY = "sample.groups";

	private static final String STARTED = "groupsOfTheSample";

	private static final int NODES_EACH = 3;

	@Override
	public void initialize(GenericApplicationContext context) {
		ConfigurableEnvironment environment = context.getEnvironment();
		List<String> ids = ids(environment);
		// The second instance has the properties of the first.
		if (ids.isEmpty() || environment.getPropertySources().contains(STARTED)) {
			return;
		}
		DemoNodes nodes = new DemoNodes(ids.size() * NODES_EACH);
		Map<String, Object> properties = new LinkedHashMap<>();
		for (int i = 0; i < ids.size(); i++) {
			List<String> uris = nodes.uris().subList(i * NODES_EACH, (i + 1) * NODES_EACH);
			properties.put("distributed-lock.groups." + ids.get(i) + ".nodes", String.join(",", uris));
			logger.info("Group " + ids.get(i) + ": started " + NODES_EACH + " Redis servers " + uris);
		}
		environment.getPropertySources().addFirst(new MapPropertySource(STARTED, properties));
		context.registerBean("demoNodes", DemoNodes.class, () -> nodes);
	}

	/** Return the groups that the sample starts servers for; empty for none. */
	static List<String> ids(Environment environment) {
		return List.of(environment.getProperty(PROPERTY, String[].class, new String[0]));
	}

}
