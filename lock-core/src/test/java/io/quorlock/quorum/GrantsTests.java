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

import io.quorlock.quorum.node.InstanceMessage;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Grants}.
 */
class GrantsTests implements Grants.Member {

	private static final String OWNER = "app@host:1:ab:1";

	private final Grants grants = new Grants();

	private final List<String> told = new ArrayList<>();

	@Override
	public List<String> names() {
		return List.of("order", "stock");
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
		this.grants.add(this);
		this.grants.addRetainable(OWNER, this);
		this.grants.received(new InstanceMessage.LeaseWanted("app@host:1:ab:2"));
		assertThat(this.told).isEmpty();
		this.grants.received(new InstanceMessage.LeaseWanted(OWNER));
		assertThat(this.told).containsExactly("wanted");
		this.grants.received(new InstanceMessage.ReleaseRequested("r1", Duration.ofSeconds(3), OWNER));
		assertThat(this.told).containsExactly("wanted", "wanted", "requested by r1 within PT3S");
	}

	@Test
	void operatorTakesThePermitAwayThatIsMeant() {
		this.grants.add(this);
		this.grants.received(new InstanceMessage.Forced(OWNER, 1));
		assertThat(this.told).isEmpty();
		this.grants.received(new InstanceMessage.Forced(OWNER, 2));
		this.grants.received(new InstanceMessage.Forced(OWNER, 0));
		assertThat(this.told).containsExactly(Grants.FORCED, Grants.FORCED);
	}

	/** An instance grants a great many of them in the course of time. */
	@Test
	void leaseThatHasEndedIsForgotten() {
		this.grants.add(this);
		this.grants.addRetainable(OWNER, this);
		assertThat(this.grants.of("stock")).containsExactly(this);
		this.grants.remove(this);
		this.grants.removeRetainable(OWNER);
		assertThat(this.grants.of("stock")).isEmpty();
		this.grants.received(new InstanceMessage.LeaseWanted(OWNER));
		assertThat(this.told).isEmpty();
	}

}
