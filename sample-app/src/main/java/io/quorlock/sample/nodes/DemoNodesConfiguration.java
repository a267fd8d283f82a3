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
