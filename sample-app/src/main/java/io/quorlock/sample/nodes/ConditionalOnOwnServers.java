package io.quorlock.sample.nodes;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if the sample started the servers itself, Redis or ZooKeeper.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnOwnServers.OwnServers.class)
public @interface ConditionalOnOwnServers {

	/** Starts ZooKeeper servers inside the application. */
	String EMBEDDED_ZOOKEEPER = "distributed-lock.embedded.zookeeper";

	/** Looks at the configuration. */
	class OwnServers implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return context.getEnvironment().containsProperty(EMBEDDED_ZOOKEEPER)
					|| new ConditionalOnOwnNodes.NothingConfigured().matches(context, metadata);
		}

	}

}
