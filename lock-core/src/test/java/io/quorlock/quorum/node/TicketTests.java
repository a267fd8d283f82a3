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

package io.quorlock.quorum.node;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Ticket}.
 */
class TicketTests {

	private static final String CLAIM = "app@host:1:ab:7";

	@Test
	void textSaysWhatIsClaimed() {
		String writer = Ticket.of(1_234, LockTarget.exclusive(List.of("order")), 250, CLAIM).text();
		assertThat(Ticket.claimOf(writer)).isEqualTo(CLAIM);
		assertThat(Ticket.stampOf(writer)).isEqualTo(1_234);
		assertThat(Ticket.isShared(writer)).isFalse();
		assertThat(Ticket.targetOf(writer, "order")).isEqualTo(LockTarget.exclusive(List.of("order")));
		String reader = Ticket.of(1_234, LockTarget.shared(List.of("order")), 250, CLAIM).text();
		assertThat(Ticket.isShared(reader)).isTrue();
		assertThat(Ticket.targetOf(reader, "order")).isEqualTo(LockTarget.shared(List.of("order")));
		String permit = Ticket.of(1_234, LockTarget.permits("order", 3), 250, CLAIM).text();
		assertThat(Ticket.isShared(permit)).isFalse();
		assertThat(Ticket.targetOf(permit, "order")).isEqualTo(LockTarget.permits("order", 3));
	}

	/** They stand in the order of their texts. */
	@Test
	void olderTicketComesFirst() {
		LockTarget order = LockTarget.exclusive(List.of("order"));
		assertThat(Ticket.of(999, order, 250, CLAIM).text()).isLessThan(Ticket.of(1_000, order, 250, CLAIM).text());
		assertThat(Ticket.of(-5, order, 250, CLAIM).text()).startsWith("0000000000000000:");
	}

	/** Another client may have written anything there. */
	@Test
	void textThatIsNoTicketIsTakenForAnOldExclusiveClaim() {
		String text = "something else";
		assertThat(Ticket.claimOf(text)).isEqualTo(text);
		assertThat(Ticket.stampOf(text)).isZero();
		assertThat(Ticket.isShared(text)).isFalse();
		assertThat(Ticket.targetOf(text, "order")).isEqualTo(LockTarget.exclusive(List.of("order")));
	}

}
