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

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.zookeeper.client.HostProvider;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link ConnectAttempts}.
 */
class ConnectAttemptsTests {

	private final HostProvider servers = mock(HostProvider.class);

	private final AtomicLong nanos = new AtomicLong(100);

	private final ConnectAttempts attempts = new ConnectAttempts(this.servers, this.nanos::get);

	@Test
	void connectionIsAsOldAsTheAttemptThatLedToIt() {
		this.attempts.next(0);
		this.nanos.set(200);
		this.attempts.next(0);
		this.nanos.set(300);
		assertThat(this.attempts.begunNanos()).isEqualTo(100);
		this.attempts.onConnected();
		assertThat(this.attempts.begunNanos()).isEqualTo(200);
		// Of a later attempt nothing is known yet.
		this.attempts.next(0);
		assertThat(this.attempts.begunNanos()).isEqualTo(200);
		verify(this.servers).onConnected();
	}

	@Test
	void attemptIsBegunOnlyOnceTheServerIsChosen() {
		given(this.servers.next(anyLong())).willAnswer((call) -> {
			this.nanos.set(400); // a pause between two rounds
			return InetSocketAddress.createUnresolved("zoo", 2181);
		});
		this.attempts.next(0);
		this.attempts.onConnected();
		assertThat(this.attempts.begunNanos()).isEqualTo(400);
		assertThat(this.attempts.server()).isEqualTo("zoo:2181");
	}

	@Test
	void pausesBetweenRoundsAreShort() {
		this.attempts.next(1_000);
		verify(this.servers).next(100);
		this.attempts.next(50);
		verify(this.servers).next(50);
	}

	/** The client logs some lines for each attempt. */
	@Test
	void pausesOfALongOutageAreThoseOfTheClient() {
		for (int i = 0; i < 300; i++) {
			this.attempts.next(1_000);
		}
		verify(this.servers, never()).next(1_000);
		this.attempts.next(1_000);
		verify(this.servers).next(1_000);
		assertThat(this.attempts.failed()).isEqualTo(301);
		this.attempts.onConnected();
		this.attempts.next(1_000);
		verify(this.servers, times(301)).next(100);
	}

}
