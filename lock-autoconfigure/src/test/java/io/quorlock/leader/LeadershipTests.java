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

package io.quorlock.leader;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.leader.Candidate.Leadership;
import io.quorlock.spi.ReentrantLockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link Candidate.Leadership}.
 */
class LeadershipTests {

	private final AtomicBoolean held = new AtomicBoolean(true);

	private final Leadership leadership = new Leadership(
			(LockHandle) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { LockHandle.class },
					(proxy, method, arguments) -> method.getName().equals("isHeld") ? this.held.get() : null));

	/** After a pause, the callback for the loss may run much later. */
	@Test
	void isOverWithTheLeaseBeforeTheLossIsReported() {
		assertThat(this.leadership.isHeld()).isTrue();
		this.held.set(false);
		assertThat(this.leadership.isHeld()).isFalse();
		assertThat(this.leadership.enter()).isEmpty();
	}

	@Test
	void isOverWhenItEndsAlthoughTheLockIsStillHeld() {
		this.leadership.end();
		assertThat(this.leadership.isHeld()).isFalse();
	}

	@Test
	void isEnteredAsItsLockIs() {
		LockHandle foreign = mock(LockHandle.class);
		given(foreign.isHeld()).willReturn(true);
		assertThat(new Leadership(foreign).enter()).isEmpty();
		ReentrantLockHandle lock = mock(ReentrantLockHandle.class);
		ReentrantLockHandle entered = mock(ReentrantLockHandle.class);
		given(lock.isHeld()).willReturn(true);
		given(lock.names()).willReturn(List.of("leader:importer"));
		given(lock.reenter(List.of("leader:importer"))).willReturn(entered)
			.willThrow(new LockLostException("lost in this very moment"))
			.willThrow(new IllegalStateException("closed in this very moment"))
			.willReturn(entered);
		Leadership leadership = new Leadership(lock);
		assertThat(leadership.enter()).containsSame(entered);
		assertThat(leadership.enter()).isEmpty();
		assertThat(leadership.enter()).isEmpty();
		assertThat(leadership.enter()).containsSame(entered);
		leadership.end();
		assertThat(leadership.enter()).as("although the lock is still held").isEmpty();
	}

	@Test
	void hasNoTokenWhereFencingIsOff() {
		LockHandle lock = mock(LockHandle.class);
		given(lock.fencingToken()).willReturn(7L).willThrow(new IllegalStateException("fencing is off"));
		Leadership leadership = new Leadership(lock);
		assertThat(leadership.fencingToken()).isEqualTo(7);
		assertThat(leadership.fencingToken()).isZero();
	}

	@Test
	void interruptEndsNoLeadership() {
		LockHandle lock = mock(LockHandle.class);
		given(lock.isHeld()).willReturn(true);
		ArgumentCaptor<Consumer<LockAtRiskEvent>> callback = ArgumentCaptor.captor();
		Leadership leadership = new Leadership(lock);
		verify(lock).onAtRisk(callback.capture());
		callback.getValue().accept(mock());
		List<LockAtRiskEvent> told = new ArrayList<>();
		Thread.currentThread().interrupt();
		leadership.awaitEnd((event) -> {
			told.add(event);
			leadership.end();
		});
		assertThat(told).hasSize(1);
	}

	/** Its thread may come to it after the end only. */
	@Test
	void riskOfALeadershipThatIsOverIsNotTold() {
		LockHandle lock = mock(LockHandle.class);
		ArgumentCaptor<Consumer<LockAtRiskEvent>> callback = ArgumentCaptor.captor();
		Leadership leadership = new Leadership(lock);
		verify(lock).onAtRisk(callback.capture());
		callback.getValue().accept(mock());
		given(lock.isHeld()).willAnswer((invocation) -> {
			leadership.end();
			return false;
		});
		List<LockAtRiskEvent> told = new ArrayList<>();
		leadership.awaitEnd((event) -> {
			told.add(event);
			leadership.end();
		});
		assertThat(told).isEmpty();
	}

}
