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

package io.quorlock.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InstanceChannel}.
 */
class InstanceChannelTests implements InstanceChannel.Lease {

	private static final long LATER = Duration.ofSeconds(1).toNanos();

	private final InstanceChannel channel = channel();

	private static InstanceChannel channel() {
		SystemClock clock = new SystemClock();
		Voters voters = new Voters(List.of(new InMemoryLockNode("node", clock)));
		Messenger messenger = new Messenger(voters, clock, List.of());
		return new InstanceChannel(voters, messenger, () -> "app:1:", (slot, ticket, name) -> {
		});
	}

	@Test
	void nameIsContendedForASecond() {
		this.channel.contended("order", 5);
		assertThat(this.channel.isContended("order", 5 + LATER - 1)).isTrue();
		assertThat(this.channel.isContended("stock", 5)).isFalse();
		assertThat(this.channel.isContended("order", 5 + LATER)).isFalse();
	}

	/** Most names are never asked for again, and would fill the memory. */
	@Test
	void ofTooManyContendedNamesTheEarlierOnesAreForgotten() {
		for (int i = 0; i <= 1_024; i++) {
			this.channel.contended("order:" + i, 0);
		}
		assertThat(this.channel.isContended("order:0", 0)).isFalse();
		assertThat(this.channel.isContended("order:1024", 0)).isTrue();
	}

	private static final String OWNER = "app@host:1:ab:1";

	private final List<String> told = new ArrayList<>();

	@Override
	public List<String> names() {
		return List.of("order", "stock");
	}

	@Override
	public String owner() {
		return OWNER;
	}

	@Override
	public boolean isOf(String owner) {
		return owner.equals(OWNER);
	}

	@Override
	public int permit() {
		return 2;
	}

	@Override
	public void releaseRequested(String id, Duration deadline) {
		this.told.add("requested by " + id + " within " + deadline);
	}

	@Override
	public void wanted() {
		this.told.add("wanted");
	}

	@Override
	public Runnable revoke(String reason) {
		return () -> this.told.add(reason);
	}

	@Test
	void messageReachesTheLeaseOfItsOwner() {
		this.channel.add(this, true);
		this.channel.received(0, new InstanceMessage.LeaseWanted("app@host:1:ab:2"));
		assertThat(this.told).isEmpty();
		this.channel.received(0, new InstanceMessage.LeaseWanted(OWNER));
		assertThat(this.told).containsExactly("wanted");
		this.channel.received(0, new InstanceMessage.ReleaseRequested("r1", Duration.ofSeconds(3), OWNER));
		assertThat(this.told).containsExactly("wanted", "wanted", "requested by r1 within PT3S");
	}

	@Test
	void operatorTakesThePermitAwayThatIsMeant() {
		this.channel.add(this, false);
		this.channel.received(0, new InstanceMessage.Forced(OWNER, 1));
		assertThat(this.told).isEmpty();
		this.channel.received(0, new InstanceMessage.Forced(OWNER, 2));
		this.channel.received(0, new InstanceMessage.Forced(OWNER, 0));
		assertThat(this.told).containsExactly(InstanceChannel.FORCED, InstanceChannel.FORCED);
	}

	/** An instance grants a great many of them in the course of time. */
	@Test
	void leaseThatHasEndedIsForgotten() {
		this.channel.add(this, true);
		assertThat(this.channel.leases((lease) -> lease.names().contains("stock"))).containsExactly(this);
		this.channel.remove(this, true);
		assertThat(this.channel.leases((lease) -> lease.names().contains("stock"))).isEmpty();
		this.channel.received(0, new InstanceMessage.LeaseWanted(OWNER));
		assertThat(this.told).isEmpty();
	}

}
