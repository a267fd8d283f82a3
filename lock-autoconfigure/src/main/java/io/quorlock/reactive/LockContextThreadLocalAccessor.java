package io.quorlock.reactive;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;

/**
 * Propagates the {@link LockContext} across threads with Micrometer's context
 * propagation, in a Reactor pipeline with
 * {@code spring.reactor.context-propagation=auto}.
 *
 * @since 0.1.0
 */
public class LockContextThreadLocalAccessor implements ThreadLocalAccessor<LockContext> {

	/**
	 * The key of the {@link LockContext} in a Reactor context.
	 */
	public static final String KEY = "io.quorlock.LockContext";

	@Override
	public Object key() {
		return KEY;
	}

	@Override
	public @Nullable LockContext getValue() {
		return LockContext.capture();
	}

	@Override
	public void setValue(LockContext value) {
		LockContext.restore(value);
	}

	@Override
	public void setValue() {
		LockContext.restore(null);
	}

}
