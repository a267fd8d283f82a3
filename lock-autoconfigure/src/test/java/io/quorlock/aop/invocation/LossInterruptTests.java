/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.aop.invocation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.atLeast;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link LossInterrupt}.
 */
class LossInterruptTests {

	private final LockHandle handle = mock(LockHandle.class);

	@BeforeEach
	void hold() {
		given(this.handle.isHeld()).willReturn(true);
		given(this.handle.name()).willReturn("order");
		given(this.handle.loss()).willReturn(Optional.empty());
		given(this.handle.remaining()).willReturn(Duration.ZERO);
	}

	@AfterEach
	void clear() {
		Thread.interrupted();
	}

	private void assertInterrupted(LossInterrupt interrupt, String reason) {
		assertThat(interrupt.disarm()).isTrue();
		assertThat(Thread.currentThread().isInterrupted()).as("the exception replaces it").isFalse();
		assertThat(interrupt.disarm()).isFalse();
		assertThat(interrupt.exception(new InterruptedException()))
			.hasMessage("The method under lock 'order' was interrupted before the lock is lost: " + reason);
	}

	@Test
	void endOfALeaseThatIsNotRenewedIsTheReason() {
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, true);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertInterrupted(interrupt, "its lease ends, and is not renewed");
	}

	@Test
	@SuppressWarnings("unchecked")
	void renewalThatFailsIsTheReasonUnlessItSucceedsInTime() {
		given(this.handle.remaining()).willReturn(Duration.ofMinutes(10));
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, true);
		ArgumentCaptor<Consumer<LockAtRiskEvent>> callback = ArgumentCaptor.forClass(Consumer.class);
		verify(this.handle).onAtRisk(callback.capture());
		callback.getValue().accept(risk(true, "no reply"));
		callback.getValue().accept(risk(false, ""));
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		given(this.handle.remaining()).willReturn(Duration.ofSeconds(1));
		callback.getValue().accept(risk(true, "no reply again"));
		assertInterrupted(interrupt, "no reply again");
	}

	/**
	 * One would be left behind by each renewal that came late, as long as the method
	 * runs.
	 */
	@Test
	@SuppressWarnings("unchecked")
	void riskThatIsOverLeavesNoTimer() {
		given(this.handle.remaining()).willReturn(Duration.ofMinutes(10));
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, true);
		ArgumentCaptor<Consumer<LockAtRiskEvent>> callback = ArgumentCaptor.forClass(Consumer.class);
		verify(this.handle).onAtRisk(callback.capture());
		given(this.handle.remaining()).willReturn(Duration.ofSeconds(4)); // one too many
		callback.getValue().accept(risk(true, "no reply"));
		given(this.handle.remaining()).willReturn(Duration.ofMinutes(10));
		callback.getValue().accept(risk(false, ""));
		clearInvocations(this.handle);
		new CompletableFuture<>().completeOnTimeout(null, 1_500, TimeUnit.MILLISECONDS).join();
		verify(this.handle, never()).remaining();
		assertThat(interrupt.disarm()).isFalse();
	}

	private static LockAtRiskEvent risk(boolean atRisk, String reason) {
		return new LockAtRiskEvent(List.of("order"), "app", atRisk, Duration.ofSeconds(20), Duration.ofSeconds(10),
				List.of(), reason);
	}

	@Test
	void leaseThatIsNotRenewedInterruptsWhenATenthIsLeft() {
		given(this.handle.remaining()).willReturn(Duration.ofMinutes(10), Duration.ofSeconds(61));
		assertThat(LossInterrupt.arm(this.handle, true).disarm()).isFalse();
		given(this.handle.remaining()).willReturn(Duration.ofMinutes(10), Duration.ofSeconds(60));
		assertThat(LossInterrupt.arm(this.handle, true).disarm()).isTrue();
	}

	@Test
	@SuppressWarnings("unchecked")
	void leaseAtRiskInterruptsWhenATenthOfItsValidityIsLeft() {
		given(this.handle.remaining()).willReturn(Duration.ofSeconds(30));
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, true);
		ArgumentCaptor<Consumer<LockAtRiskEvent>> callback = ArgumentCaptor.forClass(Consumer.class);
		verify(this.handle).onAtRisk(callback.capture());
		given(this.handle.remaining()).willReturn(Duration.ofMillis(3_900));
		callback.getValue().accept(risk(true, "no reply")); // a third, 10 s, was left
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		given(this.handle.remaining()).willReturn(Duration.ofSeconds(3));
		callback.getValue().accept(risk(true, "no reply"));
		assertInterrupted(interrupt, "no reply");
	}

	@Test
	void leaseThatWasExtendedInterruptsLater() {
		given(this.handle.remaining()).willReturn(Duration.ofSeconds(10), Duration.ofMillis(1_010),
				Duration.ofMinutes(10));
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, true);
		Awaitility.await().untilAsserted(() -> verify(this.handle, atLeast(3)).remaining());
		assertThat(interrupt.disarm()).isFalse();
	}

	@Test
	void leaseThatIsMadeShorterAndRenewedInterruptsNobody() {
		given(this.handle.remaining()).willReturn(Duration.ofMinutes(10), Duration.ofMillis(60_010),
				Duration.ofSeconds(30));
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, true);
		Awaitility.await().untilAsserted(() -> verify(this.handle, atLeast(4)).remaining());
		assertThat(interrupt.disarm()).isFalse();
	}

	@Test
	void lockThatTheMethodClosedInterruptsNobody() {
		given(this.handle.remaining()).willReturn(Duration.ofSeconds(10), Duration.ofMillis(1_010), Duration.ZERO);
		given(this.handle.isHeld()).willReturn(true, false);
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, true);
		Awaitility.await().untilAsserted(() -> verify(this.handle, atLeast(2)).isHeld());
		assertThat(interrupt.disarm()).isFalse();
	}

	/** It would keep the lock's handle for as long as the lease might have lasted. */
	@Test
	void methodThatHasEndedLeavesNoTimer() {
		given(this.handle.remaining()).willReturn(Duration.ofSeconds(10), Duration.ofMillis(1_100),
				Duration.ofMinutes(10));
		LossInterrupt.arm(this.handle, true).disarm();
		clearInvocations(this.handle);
		// The same thread completes what is due, in that order.
		new CompletableFuture<>().completeOnTimeout(null, 300, TimeUnit.MILLISECONDS).join();
		verify(this.handle, never()).remaining();
	}

	@Test
	void reasonOfALossIsToldAsTheHandleTellsIt() {
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, true);
		assertThat(interrupt.disarm()).isTrue();
		given(this.handle.loss()).willReturn(Optional.of(new LockLostException("released by an operator")));
		assertThat(interrupt.exception(new InterruptedException())).hasMessage("released by an operator")
			.hasCauseInstanceOf(InterruptedException.class);
	}

	@Test
	void interruptFromBeforeIsKept() {
		Thread.currentThread().interrupt();
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, true);
		assertThat(interrupt.disarm()).isTrue();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	@Test
	void methodThatIsNotToBeInterruptedIsNot() {
		LossInterrupt interrupt = LossInterrupt.arm(this.handle, false);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(interrupt.disarm()).isFalse();
		verify(this.handle, never()).onLost(any());
	}

}
