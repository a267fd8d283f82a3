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

package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LinkHealth}: since when commands have been lost.
 */
class LinkHealthTests {

	private final NodeCommand command = new NodeCommand.Renew(
			new CommandHeader(LockTarget.exclusive(List.of("n")), new Attempt("a1")), 30_000, false, null, 0, true, 0);

	private final ManualTime clock = new ManualTime();

	private final LinkMonitor monitor = Mockito.mock(Mockito.RETURNS_SMART_NULLS);

	private final LinkHealth health = new LinkHealth(new RedisTopology(RedisTopology.Kind.CLUSTER, "node"),
			NodeEviction.WARN, this.clock, new NodeAdmission(Duration.ZERO, 0, true));

	@Test
	void commandsThatAreLostForTenSecondsAreAFailure() {
		lose();
		this.clock.advance(Duration.ofMillis(9_999));
		lose();
		assertThat(this.health.suspect()).isNull();
		this.clock.advance(Duration.ofMillis(1));
		lose();
		assertThat(this.health.suspect()).isEqualTo("n");
	}

	@Test
	void replyBetweenThemBeginsAnew() {
		lose();
		this.health.onReply(this.command, new NodeReply.Done(true));
		checkThatLossesBeginAnew();
	}

	@Test
	void anotherConnectionBeginsAnew() {
		lose();
		this.health.onConnection("connection closed", this.monitor);
		this.health.onConnection("", this.monitor);
		checkThatLossesBeginAnew();
	}

	@Test
	void lockThatWasTriedBeginsAnew() {
		lose();
		this.health.onProbe(new NodeReply.Done(true));
		checkThatLossesBeginAnew();
	}

	private void checkThatLossesBeginAnew() {
		this.clock.advance(Duration.ofHours(1));
		lose();
		assertThat(this.health.suspect()).isNull();
	}

	private void lose() {
		this.health.onReply(this.command, new Failed(Cause.CONNECTION_LOST, "reset by peer"));
	}

}
