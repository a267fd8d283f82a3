package io.quorlock.aop.declaration;

import java.lang.reflect.Method;
import java.util.Objects;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.quorlock.annotation.LockKeyGenerator;

/**
 * A key from the application's {@link LockKeyGenerator}.
 *
 * @param generator the generator
 * @param method the method
 * @param location the method's name in messages
 */
record GeneratedLockKey(LockKeyGenerator generator, Method method, String location) implements LockKey {

	@Override
	public @Nullable Object of(MethodInvocation invocation) {
		Object target = Objects.requireNonNull(invocation.getThis(), "No bean behind the proxy");
		return this.generator.generate(target, this.method, invocation.getArguments());
	}

	@Override
	public String toString() {
		return "Lock key of %s by %s".formatted(this.location, this.generator);
	}

}
