package io.quorlock.redis.client;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.engine.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The thread that watches all nodes outlives whatever one of them does.
 */
@ExtendWith(OutputCaptureExtension.class)
class HousekeeperTests {

	private static final long TIMEOUT_MILLIS = 20_000;

	private final Housekeeper housekeeper = new Housekeeper(new SystemClock());

	private final JedisLockNode failing = node("failing");

	private final JedisLockNode sound = node("sound");

	@AfterEach
	void stop() {
		this.housekeeper.remove(this.failing);
		this.housekeeper.remove(this.sound);
	}

	@Test
	void errorOfOneNodeNeitherEndsTheThreadNorFloodsTheLog(CapturedOutput output) {
		BDDMockito
			.willThrow(new StackOverflowError(), new OutOfMemoryError("Java heap space"), new StackOverflowError())
			.given(this.failing)
			.keep(ArgumentMatchers.anyLong());
		this.housekeeper.add(this.failing);
		this.housekeeper.add(this.sound);
		Mockito.verify(this.sound, Mockito.timeout(TIMEOUT_MILLIS).atLeast(4)).keep(ArgumentMatchers.anyLong());
		Mockito.verify(this.failing, Mockito.timeout(TIMEOUT_MILLIS).atLeast(4)).keep(ArgumentMatchers.anyLong());
		assertThat(output.getAll().split("Housekeeping of lock node failing failed", -1)).hasSize(2);
	}

	private static JedisLockNode node(String name) {
		JedisLockNode node = Mockito.mock(JedisLockNode.class);
		BDDMockito.given(node.name()).willReturn(name);
		return node;
	}

}
