package io.quorlock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

import io.quorlock.autoconfigure.LockProperties.Backend;

/**
 * Annotation that can be applied to a test class to keep locks in memory, in a slice or
 * in the whole application, and to add a {@link LockSimulator}. What a test simulates
 * ends with its method.
 *
 * @since 0.1.0
 * @see LockAssertions
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestLocks {

	/**
	 * Where locks are kept in the test.
	 * @return the backend
	 */
	@PropertyMapping("distributed-lock.backend")
	Backend backend() default Backend.IN_MEMORY;

}
