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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.quorlock.LockMode;
import io.quorlock.store.Claim;
import io.quorlock.store.Contender;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * What claims for locks and for permits leave behind while there is no session.
 */
class ContenderTests {

	private final ManualTime time = new ManualTime();

	private final Sessions sessions = mock();

	private final Runnable withdrawal = mock();

	private final StoreContext context = ZooKeeperStores.context(this.time);

	/** It would be kept for as long as there is none. */
	@ParameterizedTest
	@CsvSource({ "0, PT0S", "0, PT1H", "1, PT0S", "1, PT1H" })
	void claimThatHasEndedWantsNoSessionAnyMore(int permits, Duration wait) {
		given(this.sessions.isStarted()).willReturn(true);
		given(this.sessions.use(any())).willReturn(this.withdrawal);
		Contender.Listener listener = mock();
		Claim claim = new Claim(List.of("a"), LockMode.EXCLUSIVE, permits, false, Duration.ofSeconds(30).toNanos(),
				true, 1, this.time.nanoTime(), wait.toNanos(), Integer.MAX_VALUE, false, false);
		Contender contender = new ZooKeeperContender(this.context, this.sessions, claim, listener);
		contender.start();
		contender.cancel();
		verify(listener).onFailed(any());
		verify(this.withdrawal).run();
		assertThat(this.time.pending()).isZero();
	}

}
