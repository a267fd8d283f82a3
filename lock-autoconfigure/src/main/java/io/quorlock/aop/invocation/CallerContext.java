package io.quorlock.aop.invocation;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;

import org.springframework.util.ClassUtils;

/**
 * The context of the calling thread (trace, security, logging), for a method that runs on
 * another thread. Without Micrometer's context propagation it is empty.
 */
@FunctionalInterface
interface CallerContext {

	/**
	 * Run code with the context that was captured.
	 * @param code the code
	 */
	void run(Runnable code);

	/**
	 * Capture the context of the calling thread.
	 * @return the context
	 */
	static CallerContext capture() {
		return Propagation.PRESENT ? Propagation.capture() : Runnable::run;
	}

	/**
	 * Loaded only where the library is.
	 */
	final class Propagation {

		static final boolean PRESENT = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
				CallerContext.class.getClassLoader());

		private Propagation() {
		}

		static CallerContext capture() {
			ContextSnapshot snapshot = ContextSnapshotFactory.builder().build().captureAll();
			return (code) -> snapshot.wrap(code).run();
		}

	}

}
