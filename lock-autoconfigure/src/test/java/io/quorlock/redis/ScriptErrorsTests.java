package io.quorlock.redis;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.LockTarget;

import static org.assertj.core.api.Assertions.assertThat;

class ScriptErrorsTests {

	private static final RedisKeys KEYS = new RedisKeys("lock:");

	@Test
	void unusableFenceIsNamed() {
		assertThat(describe("FENCE unusable", LockTarget.exclusive(List.of("order"))))
			.isEqualTo("holds no usable fencing token under lock:{order}:fence (not a number, or more than a day ahead "
					+ "of the clocks): delete the key");
	}

	@Test
	void unusableFenceOfAPermitIsThatOfOneOfThem() {
		assertThat(describe("FENCE unusable", LockTarget.permits("table", 3)))
			.contains(" under lock:{table}:permit:1:fence to lock:{table}:permit:3:fence (");
		assertThat(describe("FENCE unusable", LockTarget.permits("table", 1)))
			.contains(" under lock:{table}:permit:1:fence (");
	}

	@Test
	void fewOfManyNamesAreListed() {
		assertThat(describe("WRONGTYPE Operation against", LockTarget.exclusive(List.of("a", "b", "c", "d", "e"))))
			.isEqualTo("holds a value of another type under a key that begins with lock:{a}, lock:{b}, lock:{c} "
					+ "and 2 more: delete that key");
	}

	private static String describe(String message, LockTarget target) {
		return ScriptErrors.describe(message, target, KEYS);
	}

}
