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

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DemoNodesConfiguration {

	private static final Log logger = LogFactory.getLog(DemoNodesConfiguration.class);

	@Bean
	@ConditionalOnOwnNodes
	@ConditionalOnMissingBean(DemoNodes.class)
	DemoQuorum demoNodes(@Value("${distributed-lock.embedded.nodes:5}") int count) {
		DemoQuorum nodes = new DemoQuorum(count);
		logger.info("No distributed-lock.nodes: started " + count + " Redis servers " + nodes.getNodes());
		return nodes;
	}

}
