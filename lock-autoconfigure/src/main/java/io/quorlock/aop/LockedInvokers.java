package io.quorlock.aop;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;

/**
 * Chooses how a method is run, by the type of its result.
 */
final class LockedInvokers {

	private static final Map<Class<?>, Object> EMPTY = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	LockedInvoker forMethod(Method method, Class<?> userClass, boolean skip, String location) {
		Class<?> type = ResolvableType.forMethodReturnType(method, userClass).resolve(method.getReturnType());
		if (skip && type.isPrimitive() && type != void.class) {
			throw new InvalidLockDeclarationException(location, "onContention", "SKIP",
					"a skipped method answers null, which " + type + " cannot be", null);
		}
		if (isAsync(method, userClass)) {
			return new BlockingInvoker(
					CompletionStage.class.isAssignableFrom(type) ? CompletableFuture.completedFuture(null) : null);
		}
		if (Future.class.isAssignableFrom(type) && !CompletionStage.class.isAssignableFrom(type)) {
			throw new InvalidLockDeclarationException(location, null, null,
					"a plain " + type.getSimpleName()
							+ " does not tell when it is done, so nobody knows how long to hold the lock. "
							+ "Return a CompletableFuture, or make the method @Async",
					null);
		}
		return new BlockingInvoker(EMPTY.get(type));
	}

	private static boolean isAsync(Method method, Class<?> userClass) {
		return AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(userClass, Async.class);
	}

}
