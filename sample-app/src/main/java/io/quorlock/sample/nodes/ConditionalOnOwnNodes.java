package io.quorlock.sample.nodes;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if the sample started the nodes itself: unless nodes or a backend are
 * configured, and with {@code sample.groups}.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnOwnNodes.NothingConfigured.class)
public @interface ConditionalOnOwnNodes {

	/** Looks at the configuration. */
	class NothingConfigured implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			Binder binder = Binder.get(context.getEnvironment());
			return !DemoGroups.ids(context.getEnvironment()).isEmpty()
					|| !binder.bind("distributed-lock.nodes", Bindable.listOf(String.class)).isBound()
							&& !binder.bind("distributed-lock.backend", String.class).isBound()
							&& !binder.bind(ConditionalOnOwnServers.EMBEDDED_ZOOKEEPER, String.class).isBound();
		}

	}

}
