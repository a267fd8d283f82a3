package io.quorlock.simulation;

/**
 * All that is left to chance in a schedule comes from here, so a seed replays it exactly.
 */
final class Chance {

	private long state;

	Chance(long seed) {
		this.state = seed * 0x9E3779B97F4A7C15L;
	}

	/** SplitMix64. */
	long nextLong() {
		this.state += 0x9E3779B97F4A7C15L;
		long z = this.state;
		z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
		z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
		return z ^ (z >>> 31);
	}

	long below(long bound) {
		return (nextLong() >>> 1) % bound;
	}

	/** From low (inclusive) to high (exclusive). */
	long between(long low, long high) {
		return low + below(high - low);
	}

	/** True once in so many times; never for 0. */
	boolean onceIn(int times) {
		return times > 0 && below(times) == 0;
	}

	boolean even() {
		return nextLong() < 0;
	}

	long oneOf(long... values) {
		return values[(int) below(values.length)];
	}

}
