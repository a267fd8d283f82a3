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

package io.quorlock.redis.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.ArgumentCaptor;

import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.ServerInfo;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link EvictionPolicy}.
 */
@ExtendWith(LogCaptureExtension.class)
class EvictionPolicyTests {

	private static final Duration QUARANTINE = Duration.ofSeconds(60);

	private final TestClock clock = new TestClock();

	private final NodeAdmission admission = new NodeAdmission(QUARANTINE, 0.01, false);

	private final List<String> doubts = new ArrayList<>();

	private final EvictionPolicy eviction = new EvictionPolicy("node:6379", NodeEviction.EXCLUDE, this.clock,
			this.admission, this.doubts::add);

	private void server(String runId, String policy) {
		server(runId, policy, 100);
	}

	private void server(String runId, String policy, int maxMemory) {
		this.admission.onConnected(runId, 86_400, this.clock.nanoTime());
		this.admission.onRecord(Long.MAX_VALUE, this.clock.nanoTime());
		this.eviction.onServer(
				new ServerInfo("run_id:%s\nmaxmemory:%d\nmaxmemory_policy:%s".formatted(runId, maxMemory, policy)));
	}

	private boolean isVoting() {
		return this.admission.isVoting(this.clock.nanoTime());
	}

	@Test
	void policyIsAskedForEveryTenSeconds() {
		Pipeline pipeline = mock(Pipeline.class);
		server("first", "noeviction");
		for (int seconds = 0; seconds <= 20; seconds++) {
			this.eviction.update(pipeline, this.clock.nanoTime());
			this.clock.advance(Duration.ofSeconds(1));
		}
		verify(pipeline, times(2)).submit(any());
	}

	/** It may have evicted a lock a moment ago: whoever held that holds it still. */
	@Test
	void nodeThatEvictedKeysVotesOnceNoLeaseIsLeft() {
		server("first", "allkeys-lru");
		assertThat(isVoting()).isFalse();
		server("first", "noeviction");
		assertThat(isVoting()).isFalse();
		assertThat(this.doubts).containsExactly(MembershipRecord.EVICTION);
		this.clock.advance(QUARANTINE.plusSeconds(3));
		assertThat(isVoting()).isTrue();
	}

	@Test
	void othersAreToldOnlyOnceItEvictsNoneAnyMore() {
		server("first", "noeviction");
		server("first", "noeviction");
		server("first", "allkeys-lru");
		server("first", "allkeys-lru");
		assertThat(this.doubts).isEmpty();
		assertThat(isVoting()).isFalse();
		server("first", "noeviction");
		server("first", "noeviction");
		assertThat(this.doubts).hasSize(1);
	}

	/**
	 * Memory that is never full evicts nothing, and a server may keep the policy to
	 * itself.
	 */
	@Test
	void serverWithoutALimitOrAPolicyEvictsNothing() {
		server("first", "allkeys-lru", 0);
		assertThat(isVoting()).isTrue();
		assertThat(this.eviction.note()).contains("maxmemory-policy allkeys-lru");
		server("second", "", 100);
		assertThat(isVoting()).isTrue();
		assertThat(this.eviction.note()).isEmpty();
		server("third", "allkeys-lru", 1);
		assertThat(isVoting()).isFalse();
	}

	@Test
	void anotherServerAtTheAddressEvictedNothing() {
		server("first", "allkeys-lru");
		server("second", "noeviction");
		assertThat(isVoting()).isTrue();
		assertThat(this.doubts).isEmpty();
	}

	/** Such as of a server that lets only a part of it be read. */
	@Test
	void replyWithoutAPolicyEndsNoExclusion() {
		Pipeline pipeline = mock(Pipeline.class);
		server("first", "allkeys-lru");
		this.eviction.update(pipeline, this.clock.nanoTime() + Duration.ofSeconds(10).toNanos());
		ArgumentCaptor<PendingCommand> asked = ArgumentCaptor.forClass(PendingCommand.class);
		verify(pipeline).submit(asked.capture());
		asked.getValue().onReply("used_memory:1\r\n".getBytes(StandardCharsets.UTF_8));
		assertThat(this.eviction.note()).contains("maxmemory-policy allkeys-lru");
		assertThat(this.doubts).isEmpty();
		asked.getValue().onReply("maxmemory:100\r\nmaxmemory_policy:noeviction\r\n".getBytes(StandardCharsets.UTF_8));
		assertThat(this.eviction.note()).isEmpty();
		assertThat(this.doubts).hasSize(1);
	}

	@Test
	void endOfAWarningIsLoggedOnce(CapturedLog output) {
		EvictionPolicy warning = new EvictionPolicy("node:6379", NodeEviction.WARN, this.clock, this.admission,
				this.doubts::add);
		for (String policy : List.of("noeviction", "allkeys-lru", "allkeys-lru", "noeviction", "noeviction")) {
			warning.onServer(new ServerInfo("run_id:first\nmaxmemory:100\nmaxmemory_policy:" + policy));
		}
		assertThat(output).containsOnlyOnce("Lock node node:6379 evicts keys when its memory is full")
			.containsOnlyOnce("Lock node node:6379 no longer evicts keys");
	}

}
