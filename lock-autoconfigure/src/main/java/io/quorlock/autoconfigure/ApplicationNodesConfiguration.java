package io.quorlock.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.quorlock.quorum.node.LockNode;

/**
 * Nodes that the application brings itself.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(LockNode.class)
class ApplicationNodesConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockBackend distributedLockBackend(ObjectProvider<LockNode> nodes) {
		return new LockBackend("application", nodes.orderedStream().toList());
	}

}
