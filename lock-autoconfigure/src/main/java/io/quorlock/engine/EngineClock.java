package io.quorlock.engine;

/**
 * The two clocks of the engine (R5). Intervals go by {@link #nanoTime()} alone.
 *
 * @since 0.1.0
 */
public interface EngineClock {

	/**
	 * A clock that never goes back, as {@link System#nanoTime()}, except that it also
	 * counts the time in which the machine was suspended.
	 * @return nanoseconds since an arbitrary origin
	 */
	long nanoTime();

	/**
	 * The same clock without what is not known for certain: where it cannot be judged
	 * whether the machine was suspended, {@link #nanoTime()} takes the upper bound of
	 * elapsed time and this the lower. For what must not end early (R5, R10).
	 * @return nanoseconds since an arbitrary origin
	 */
	default long leastNanoTime() {
		return nanoTime();
	}

	/**
	 * The wall clock, from which fencing tokens are proposed (R9).
	 * @return microseconds since 1970-01-01T00:00Z
	 */
	long wallMicros();

}
