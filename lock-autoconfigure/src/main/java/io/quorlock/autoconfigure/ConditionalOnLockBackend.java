package io.quorlock.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

import io.quorlock.autoconfigure.LockProperties.Backend;

/**
 * Matches if one of the given backends is configured or inferred.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnLockBackendCondition.class)
@interface ConditionalOnLockBackend {

	/**
	 * The backends.
	 * @return at least one
	 */
	Backend[] value();

}
