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
import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link Heartbeats}, by a clock that stands still in between and replies that
 * the test gives.
 */
class HeartbeatsTests implements Session.Member {

	private static final Duration TIMEOUT = Duration.ofSeconds(36);

	private static final Duration INTERVAL = TIMEOUT.dividedBy(6);

	private final ZooKeeper client = mock(ZooKeeper.class);

	private final ManualTime time = new ManualTime();

	private final SessionProof proof = new SessionProof(TIMEOUT.toNanos(), 0, this.time.nanoTime());

	private final SessionRequests requests = new SessionRequests(this.client, "server", ZooDefs.Ids.OPEN_ACL_UNSAFE,
			this.time::nanoTime, List.of());

	private final List<StatCallback> sent = new ArrayList<>();

	private final List<String> told = new ArrayList<>();

	private int proven;

	private boolean connected = true;

	private boolean replies = true;

	private Heartbeats heartbeats;

	@BeforeEach
	void start() {
		willAnswer((call) -> {
			StatCallback reply = call.getArgument(3);
			this.sent.add(reply);
			if (this.replies) {
				reply.processResult(0, "/h", null, new Stat());
			}
			return null;
		}).given(this.client).setData(any(), any(), anyInt(), any(StatCallback.class), any());
		this.heartbeats = new Heartbeats((reply) -> this.requests.write("heartbeat", "/h", new byte[0], -1, reply),
				this.proof, TIMEOUT.toNanos(), this.time, this.time, () -> this.connected,
				() -> this.told.add("restore"), this);
		this.heartbeats.start();
	}

	@Override
	public void onHeartbeat(boolean proven) {
		if (proven) {
			this.proven++;
		}
		else {
			this.told.add("unproven");
		}
	}

	@Override
	public void onRisk() {
		this.told.add("risk " + (this.heartbeats.risk() > 0));
	}

	@Override
	public void onLapse() {
		this.told.add("lapse");
	}

	@Override
	public void onOver(String reason) {
		throw new AssertionError(reason);
	}

	@Test
	void oneIsSentEverySixthOfTheTimeout() {
		this.time.advance(INTERVAL.multipliedBy(20));
		assertThat(this.sent).hasSize(21);
		assertThat(this.proven).isEqualTo(21);
		assertThat(this.told).isEmpty();
	}

	@Test
	void riskIsToldOnceWhenAThirdOfTheProofIsLeftAndAgainWhenItIsOver() {
		this.time.advance(INTERVAL.multipliedBy(4));
		this.replies = false;
		this.time.pauseUntil(this.proof.riskNanos() - 1);
		this.time.advance(Duration.ZERO);
		assertThat(this.told).isEmpty();
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.told).containsExactly("risk true");
		this.time.advance(INTERVAL.minusMillis(1));
		assertThat(this.told).hasSize(1);
		this.replies = true;
		this.proof.moved(this.time.nanoTime(), this.time.nanoTime());
		this.heartbeats.send();
		assertThat(this.told).containsExactly("risk true", "risk false");
		this.time.advance(INTERVAL.multipliedBy(4));
		this.replies = false;
		// It is looked for once in an interval.
		this.time.advance(Duration.ofNanos(this.proof.riskNanos() - this.time.nanoTime()).plus(INTERVAL));
		assertThat(this.told).containsExactly("risk true", "risk false", "risk true");
	}

	/** The replies wait for the process as well. */
	@Test
	void riskIsNotToldBeforeTheRepliesAreReadThatArrivedDuringAPause() {
		this.replies = false;
		this.time.pauseUntil(this.proof.riskNanos() + Duration.ofMillis(6).toNanos());
		this.time.advance(Duration.ofMillis(49));
		assertThat(this.told).isEmpty();
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.told).containsExactly("risk true");
	}

	/** A process that is late again and again has to be told some time. */
	@Test
	void riskIsToldThoughTheSecondLookIsLateAsWell() {
		this.replies = false;
		this.time.pauseUntil(this.proof.riskNanos() + Duration.ofMillis(6).toNanos());
		this.time.advance(Duration.ZERO);
		this.time.pauseUntil(this.time.nanoTime() + Duration.ofMillis(100).toNanos());
		this.time.advance(Duration.ZERO);
		assertThat(this.told).containsExactly("risk true");
	}

	@Test
	void replyThatProvesTooLittleDoesNotEndTheRisk() {
		this.time.advance(INTERVAL.multipliedBy(4));
		this.replies = false;
		this.time.advance(Duration.ofNanos(this.proof.riskNanos() - this.time.nanoTime()));
		assertThat(this.told).containsExactly("risk true");
		this.time.advance(INTERVAL.plusSeconds(1));
		long until = this.proof.provenUntil();
		this.sent.get(5).processResult(0, "/h", null, new Stat());
		assertThat(this.proof.provenUntil()).isGreaterThan(until);
		assertThat(this.told).containsExactly("risk true");
		assertThat(this.heartbeats.risk()).isPositive();
	}

	@Test
	void endOfAProofThatWasRenewedIsToldAtOnceAsWell() {
		this.time.advance(INTERVAL.multipliedBy(9).plusSeconds(2));
		this.heartbeats.send();
		this.time.advance(INTERVAL.multipliedBy(2));
		// Proves the one that was sent between two others.
		this.heartbeats.send();
		this.replies = false;
		this.time.advance(Duration.ofNanos(this.proof.provenUntil() - this.time.nanoTime() - 1));
		assertThat(this.told).doesNotContain("lapse");
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.told).contains("lapse");
	}

	@Test
	void endOfTheProofIsToldToThoseThatDoNotAsk() {
		this.replies = false;
		this.time.pauseUntil(this.proof.provenUntil() - 1);
		this.time.advance(Duration.ZERO);
		assertThat(this.told).doesNotContain("lapse");
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.told).contains("lapse");
		// What has ended is not at risk any more.
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.told).containsOnly("lapse");
	}

	@Test
	void noneIsSentWithoutAConnection() {
		this.connected = false;
		this.time.advance(INTERVAL.multipliedBy(3));
		this.heartbeats.send();
		assertThat(this.sent).hasSize(1);
		this.connected = true;
		this.heartbeats.send();
		assertThat(this.sent).hasSize(2);
	}

	@Test
	void nodeThatWasDeletedIsRestoredAndProvesNothing() {
		this.replies = false;
		this.time.advance(INTERVAL.multipliedBy(3));
		long until = this.proof.provenUntil();
		this.sent.get(3).processResult(Code.NONODE.intValue(), "/h", null, null);
		assertThat(this.told).containsExactly("restore");
		assertThat(this.proof.provenUntil()).isEqualTo(until);
	}

	@Test
	void nothingIsSentOrToldBehindTheEndOfTheSession() {
		this.replies = false;
		this.heartbeats.stop();
		this.sent.get(0).processResult(Code.NONODE.intValue(), "/h", null, null);
		this.time.advance(TIMEOUT.multipliedBy(3));
		this.heartbeats.send();
		assertThat(this.sent).hasSize(1);
		assertThat(this.told).isEmpty();
		assertThat(this.time.pending()).isZero();
	}

}
