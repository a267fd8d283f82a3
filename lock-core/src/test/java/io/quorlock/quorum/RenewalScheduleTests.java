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
import java.util.Random;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import io.quorlock.Settings;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.JointRenewal;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link RenewalSchedule}.
 */
class RenewalScheduleTests {

	private static final Voters VOTERS = new Voters(List.of(node("a:1"), node("b:1")));

	private final ManualTime time = new ManualTime();

	private final Messenger messenger = Mockito.mock(Messenger.class);

	private final Timing timing = new Timing(
			Settings.quorum("app").set(QuorumSettings::operationTimeout, Duration.ofNanos(500)).build());

	private final RenewalSchedule schedule = new RenewalSchedule(this.messenger, this.time, this.time, this.timing);

	private final List<Lease> leases = new ArrayList<>();

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5 })
	void eachIsLookedAtWhenItIsDueWhateverChangesMeanwhile(long seed) {
		Random random = new Random(seed);
		for (int step = 0; step < 3_000; step++) {
			switch (random.nextInt(4)) {
				case 0 -> {
					Lease lease = lease(1 + random.nextInt(1_000));
					lease.joint = random.nextBoolean();
					lease.again = 200 + random.nextInt(1_000);
				}
				case 1 -> change(random, (lease) -> lease.dueNanos = this.time.nanoTime() + 1 + random.nextInt(1_000));
				case 2 -> change(random, (lease) -> lease.watched = false);
				default -> this.time.advance(Duration.ofNanos(random.nextInt(20)));
			}
			for (Lease lease : this.leases) {
				assertThat(!lease.watched || lease.dueNanos - this.time.nanoTime() > 0).as("step %d", step).isTrue();
			}
		}
		assertThat(this.leases).anyMatch((lease) -> lease.looks > 1);
		this.leases.forEach((lease) -> {
			lease.watched = false;
			this.schedule.update(lease);
		});
		// Joint commands have timers, too.
		this.time.advance(Duration.ofNanos(this.timing.operationTimeoutNanos));
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void whatIsDueSoonComesWithTheFirst() {
		Lease first = lease(1_000);
		Lease soon = lease(1_090);
		Lease later = lease(1_101);
		this.time.advance(Duration.ofNanos(1_000));
		assertThat(first.looks).isOne();
		assertThat(soon.looks).isOne();
		assertThat(later.looks).isZero();
	}

	@Test
	void severalCommandsAreSentInOneGoAndNoMoreThanThat() {
		lease(1_000);
		for (int i = 1; i < RenewalSchedule.MAX_AT_ONCE + 7; i++) {
			lease(1_050);
		}
		this.time.advance(Duration.ofNanos(1_000));
		assertThat(this.leases).filteredOn((lease) -> lease.looks == 1).hasSize(RenewalSchedule.MAX_AT_ONCE);
		this.time.advance(Duration.ofNanos(50));
		assertThat(this.leases).allMatch((lease) -> lease.looks == 1);
	}

	/** An instance grants a great many of them in the course of time. */
	@Test
	void leaseThatHasEndedLeavesTheSchedule() {
		Lease lease = lease(1_000);
		lease.watched = false;
		this.schedule.update(lease);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void leaseThatFailsKeepsNoOtherFromItsRenewal() {
		Lease failing = lease(1_000);
		failing.failure = new IllegalStateException("for the test");
		Lease other = lease(1_050);
		this.time.advance(Duration.ofNanos(1_000));
		assertThat(other.looks).isOne();
		this.time.advance(Duration.ofMillis(1));
		assertThat(failing.looks).as("not again and again").isOne();
		assertThat(other.looks).isGreaterThan(1);
	}

	@Test
	void leaseThatAwaitsItsRepliesIsLookedAtWhenItIsDueBeforeTheirTime() {
		Lease due = joint(1_000, 400);
		Lease retried = joint(1_000, 505);
		this.time.advance(Duration.ofNanos(1_000));
		this.time.advance(Duration.ofNanos(399));
		assertThat(due.looks).isOne();
		this.time.advance(Duration.ofNanos(1));
		assertThat(due.looks).isEqualTo(2);
		due.watched = false;
		this.schedule.update(due);
		this.time.advance(Duration.ofNanos(104));
		assertThat(retried.looks).isOne();
		this.time.advance(Duration.ofNanos(1));
		assertThat(retried.looks).isEqualTo(2);
	}

	@Test
	void leasesWhoseCommandCannotBeSentAreLookedAtAgain() {
		Lease one = joint(1_000, 400);
		Lease other = joint(1_000, 505);
		Mockito.doThrow(new IllegalStateException("for the test"))
			.when(this.messenger)
			.submit(Mockito.anyLong(), Mockito.any(JointRenewal.class), Mockito.anyLong());
		assertThatIllegalStateException().isThrownBy(() -> this.time.advance(Duration.ofNanos(1_000)));
		Mockito.reset(this.messenger);
		this.time.advance(Duration.ofNanos(505));
		assertThat(one.looks).isEqualTo(2);
		assertThat(other.looks).isEqualTo(2);
	}

	@Test
	void leasesShareACommandWithThoseOfTheSameNodesWhateverIsBetweenThem() {
		for (int i = 0; i < 4; i++) {
			joint(1_000 + i, 600).slots = 1 + i % 2;
		}
		this.time.advance(Duration.ofNanos(1_000));
		for (long slots = 1; slots <= 2; slots++) {
			Mockito.verify(this.messenger)
				.submit(Mockito.eq(slots), Mockito.<JointRenewal>argThat((joint) -> joint.members().size() == 2),
						Mockito.anyLong());
		}
	}

	/** Such as releases that were decided while the renewals were sent. */
	@Test
	void commandThatFailsKeepsNoOtherLeaseFromSendingItsOwn() {
		List<Lease> batch = List.of(joint(1_000, 600), joint(1_000, 600), joint(1_000, 600));
		List<Lease> sent = new ArrayList<>();
		Mockito.doAnswer((call) -> {
			batch.forEach((lease) -> {
				lease.addSubmission(() -> {
					sent.add(lease);
					throw new IllegalStateException("for the test");
				});
				lease.drainSubmissions();
			});
			return null;
		}).when(this.messenger).submit(Mockito.anyLong(), Mockito.any(JointRenewal.class), Mockito.anyLong());
		this.time.advance(Duration.ofNanos(1_000));
		assertThat(sent).containsExactlyInAnyOrderElementsOf(batch);
	}

	private static LockNode node(String name) {
		LockNode node = Mockito.mock(LockNode.class);
		Mockito.when(node.name()).thenReturn(name);
		return node;
	}

	private Lease joint(long delay, long again) {
		Lease lease = lease(delay);
		lease.joint = true;
		lease.again = again;
		return lease;
	}

	private Lease lease(long delay) {
		Lease lease = new Lease(this.time.nanoTime() + delay);
		this.leases.add(lease);
		this.schedule.update(lease);
		return lease;
	}

	private void change(Random random, Consumer<Lease> change) {
		if (!this.leases.isEmpty()) {
			Lease lease = this.leases.get(random.nextInt(this.leases.size()));
			if (lease.watched) {
				change.accept(lease);
				this.schedule.update(lease);
			}
		}
	}

	private final class Lease extends RenewalSchedule.Entry {

		private boolean watched = true;

		/** Whether its renewals are sent together with others. */
		private boolean joint;

		/** The nodes that it is renewed on. */
		private long slots = 1;

		/** After which time it is due again. */
		private long again = 700;

		private int looks;

		private @Nullable RuntimeException failure;

		private Lease(long due) {
			this.dueNanos = due;
		}

		@Override
		boolean isWatched() {
			return this.watched;
		}

		@Override
		long jointNanos() {
			return 100;
		}

		@Override
		boolean look(RenewalSchedule.Batch batch) {
			this.looks++;
			if (this.failure != null) {
				throw this.failure;
			}
			assertThat(this.watched).isTrue();
			assertThat(this.dueNanos - RenewalScheduleTests.this.time.nanoTime()).isLessThanOrEqualTo(100);
			long now = RenewalScheduleTests.this.time.nanoTime();
			this.dueNanos = now + this.again;
			if (this.joint) {
				NodeCommand.Renew command = new NodeCommand.Renew(
						new CommandHeader(LockTarget.exclusive(List.of("order")), new Attempt("app:1:1")), 30_000,
						false, null, 0, false, 0);
				beginSubmissions();
				batch.add(new Renewal(VOTERS, RenewalScheduleTests.this.messenger, command, now, 0, 30_000,
						Mockito.mock(Renewal.Listener.class)), this.slots, this);
			}
			return this.joint;
		}

	}

}
