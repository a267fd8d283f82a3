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

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.NodeReply.Done;
import io.quorlock.quorum.node.NodeReply.Granted;
import io.quorlock.quorum.node.NodeReply.Inspected;
import io.quorlock.quorum.node.NodeReply.Refused;
import io.quorlock.quorum.node.NodeReply.Released;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * What every node does for claims that wait.
 */
abstract class LockNodeQueueContract extends LockNodeFixture {

	@Test
	void releaseOffersTheNameToTheFirstAndTellsTheNext() throws InterruptedException {
		listen();
		acquire("a1", 5, "order");
		LockTarget order = LockTarget.exclusive(List.of("order"));
		Ticket second = ticket(order, 2, "second");
		Ticket first = ticket(order, 1, "first");
		assertThat(refused(send(claim(order, second))).rank()).isZero();
		assertThat(refused(send(claim(order, first))).rank()).isBetween(0, 1);
		assertThat(refused(send(claim(order, first))).rank()).isZero();
		assertThat(refused(send(claim(order, second))).rank()).isEqualTo(1);
		assertThat(inspect("order").waiters()).containsExactlyInAnyOrder(first.text(), second.text());
		assertThat(release("a1", 0, "order")).isEqualTo(new Released(true, 2));
		assertMessages(offer(first, "order"), new InstanceMessage.Next(second.text(), "order"));
		// The name is kept for the first.
		assertThat(refused(acquire("a2", 5, "order")).blockers()).containsExactly(new Blocker.Waiting(first.text()));
		assertThat(refused(send(claim(order, second))).blockers()).containsExactly(new Blocker.Waiting(first.text()));
		assertThat(send(claim(order, first))).isInstanceOf(Granted.class);
		assertThat(inspect("order").waiters()).containsExactly(second.text());
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void ticketThatIsOfferedANameAndDoesNotComeIsDropped() throws InterruptedException {
		listen();
		acquire("a1", 5, "order");
		LockTarget order = LockTarget.exclusive(List.of("order"));
		send(claim(order, ticket(order, 1, 500, "dead")));
		release("a1", 0, "order");
		assertThat(acquire("a2", 5, "order")).isInstanceOf(Refused.class);
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> acquire("a3", 5, "order") instanceof Granted);
	}

	@Test
	void nameThatIsFreedOnceMoreIsOfferedOnceMore() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		Ticket first = Ticket.of(2, order, LEASE, INSTANCE + ":first").living(LEASE);
		send(claim(order, first));
		release("a1", 0, "order");
		assertThat(message()).isEqualTo(offer(first, "order"));
		Ticket older = ticket(order, 1, "older");
		assertThat(send(claim(order, older))).isInstanceOf(Granted.class);
		assertThat(this.listener.messages).isEmpty();
		release(older.text(), 0, "order");
		assertThat(message()).isEqualTo(offer(first, "order"));
	}

	@Test
	void ticketOfAnInstanceThatDoesNotListenIsSkipped() throws InterruptedException {
		assumeThat(knowsListeners()).isTrue();
		listen();
		acquire("a1", 5, "order");
		LockTarget order = LockTarget.exclusive(List.of("order"));
		for (int i = 1; i <= 3; i++) {
			send(claim(order, Ticket.of(i, order, 200, "gone@host:1:7f:" + i).living(LEASE)));
		}
		Ticket live = ticket(order, 4, "live");
		send(claim(order, live));
		release("a1", 0, "order");
		assertThat(message()).isEqualTo(offer(live, "order"));
		assertThat(inspect("order").waiters()).containsExactly(live.text());
	}

	@Test
	void refusalByATicketOffersTheNameToThatTicketOnce() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		send(new NodeCommand.Acquire(new CommandHeader(order, new Attempt("a1")), 300, null, 1, 0, null, 1));
		Ticket first = ticket(order, 1, "first");
		send(claim(order, first));
		awaitFree("order"); // its lease ended, so that nobody has released it
		assertThat(this.listener.messages).isEmpty();
		for (int i = 0; i < 3; i++) {
			assertThat(refused(acquire("a2", 5, "order")).blockers())
				.containsExactly(new Blocker.Waiting(first.text()));
		}
		assertThat(message()).isEqualTo(offer(first, "order"));
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void releaseWritesTheTicketThatItBringsDownBeforeItOffersTheName() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		Ticket later = ticket(order, 2, "later");
		send(claim(order, later));
		Ticket next = ticket(order, 1, "next");
		assertThat(send(new NodeCommand.Release(new CommandHeader(order, new Attempt("a1")), 0, next, false)))
			.isEqualTo(new Released(true, 2));
		assertMessages(offer(next, "order"), new InstanceMessage.Next(later.text(), "order"));
	}

	@Test
	void releaseOfAReaderCountsTheTicketThatItBringsDown() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		send(read("r1", 5));
		Ticket writer = ticket(LockTarget.exclusive(List.of("order")), 1, "writer");
		send(claim(LockTarget.exclusive(List.of("order")), writer));
		Ticket next = ticket(shared, 2, "next");
		assertThat(send(new NodeCommand.Release(new CommandHeader(shared, new Attempt("r1")), 0, next, false)))
			.isEqualTo(new Released(true, 2));
		assertThat(inspect("order").waiters()).containsExactlyInAnyOrder(writer.text(), next.text());
	}

	@Test
	void roundThatFailedIsNotOfferedWhatItFreedItself() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		Ticket own = ticket(order, 2, "own");
		acquire("a1", 5, "order");
		send(new NodeCommand.Release(new CommandHeader(order, new Attempt("a1")), 0, own, true));
		assertThat(inspect("order").waiters()).containsExactly(own.text());
		assertThat(this.listener.messages).isEmpty();
		assertThat(send(claim(order, own))).isInstanceOf(Granted.class);
		Ticket older = ticket(order, 1, "older");
		send(claim(order, older));
		send(new NodeCommand.Release(new CommandHeader(order, new Attempt(own.text())), 0, own, true));
		assertMessages(offer(older, "order"), new InstanceMessage.Next(own.text(), "order"));
	}

	@Test
	void claimForSeveralNamesReservesNoneWhileAnotherIsHeld() throws InterruptedException {
		listen();
		LockTarget both = LockTarget.exclusive(List.of("a", "b"));
		LockTarget only = LockTarget.exclusive(List.of("a"));
		acquire("a1", 5, "b");
		acquire("a2", 5, "a");
		Ticket older = ticket(both, 1, "both");
		Ticket younger = ticket(only, 2, "only");
		send(claim(both, older));
		send(claim(only, younger));
		release("a2", 0, "a");
		assertMessages(offer(older, "a"), new InstanceMessage.Next(younger.text(), "a"));
		assertThat(send(claim(both, older))).isInstanceOf(Refused.class);
		assertThat(message()).isEqualTo(offer(younger, "a"));
		assertThat(send(claim(only, younger))).isInstanceOf(Granted.class);
		release("a1", 0, "b");
		assertThat(message()).isEqualTo(offer(older, "b"));
	}

	@Test
	void roundForSeveralNamesStandsInTheQueuesOfThoseThatAreTaken() throws InterruptedException {
		listen();
		LockTarget both = LockTarget.exclusive(List.of("a", "b"));
		acquire("a1", 5, "b");
		Ticket ticket = ticket(both, 1, "both");
		send(new NodeCommand.Release(new CommandHeader(both, new Attempt("a2")), 0, ticket, true));
		assertThat(inspect("a").waiters()).isEmpty();
		assertThat(inspect("b").waiters()).containsExactly(ticket.text());
	}

	@Test
	void roundForSeveralNamesStandsBehindWhomANameIsOfferedTo() throws InterruptedException {
		listen();
		LockTarget both = LockTarget.exclusive(List.of("a", "b"));
		LockTarget only = LockTarget.exclusive(List.of("b"));
		acquire("a1", 5, "a");
		acquire("b1", 5, "b");
		Ticket older = ticket(only, 1, "only");
		send(claim(only, older));
		release("b1", 0, "b");
		assertMessages(offer(older, "b"));
		Ticket ticket = ticket(both, 2, "both");
		send(new NodeCommand.Release(new CommandHeader(both, new Attempt("a2")), 0, ticket, true));
		assertThat(inspect("a").waiters()).containsExactly(ticket.text());
		assertThat(inspect("b").waiters()).containsExactly(older.text(), ticket.text());
	}

	@Test
	void permitsThatAreFreedTogetherAreOfferedToAsManyTickets() throws InterruptedException {
		listen();
		LockTarget two = LockTarget.permits("order", 2);
		send(permit("p1", 1, null));
		send(permit("p2", 2, null));
		List<Ticket> tickets = List.of(ticket(two, 1, "t1"), ticket(two, 2, "t2"), ticket(two, 3, "t3"));
		tickets.forEach((ticket) -> send(claim(two, ticket)));
		assertThat(tickets).extracting((ticket) -> refused(send(claim(two, ticket))).rank()).containsExactly(0, 1, 2);
		send(new NodeCommand.Release(new CommandHeader(two, new Attempt("p1")), 0));
		assertMessages(offer(tickets.get(0), "order"), new InstanceMessage.Next(tickets.get(1).text(), "order"));
		send(new NodeCommand.Release(new CommandHeader(two, new Attempt("p2")), 0));
		assertMessages(offer(tickets.get(1), "order"), new InstanceMessage.Next(tickets.get(2).text(), "order"));
		send(new NodeCommand.Withdraw(new CommandHeader(two, new Attempt("t1")), tickets.get(0).text()));
		assertThat(message()).isEqualTo(offer(tickets.get(2), "order"));
	}

	@Test
	void readersInFrontOfAWriterAreOfferedTheNameTogether() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		LockTarget exclusive = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		Ticket first = ticket(shared, 1, "r1");
		Ticket second = ticket(shared, 2, "r2");
		Ticket writer = ticket(exclusive, 3, "w");
		Ticket behind = ticket(shared, 4, "r3");
		List.of(first, second, behind).forEach((ticket) -> send(claim(shared, ticket)));
		send(claim(exclusive, writer));
		release("a1", 0, "order");
		assertThat(List.of(message(), message(), message())).containsExactlyInAnyOrder(offer(first, "order"),
				offer(second, "order"), new InstanceMessage.Next(writer.text(), "order"));
		assertThat(send(claim(shared, second))).isInstanceOf(Granted.class);
		assertThat(refused(send(claim(shared, behind))).blockers()).containsExactly(new Blocker.Waiting(writer.text()));
		assertThat(message()).isEqualTo(offer(writer, "order")); // is it still there?
		send(new NodeCommand.Withdraw(new CommandHeader(exclusive, new Attempt("w")), writer.text()));
		assertThat(message()).isEqualTo(offer(behind, "order"));
	}

	@Test
	void readerWhoseClockIsFarAheadKeepsItsPlaceInFrontOfAWriter() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		LockTarget exclusive = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		long ahead = 9_000_000_000_000_000L;
		Ticket reader = ticket(shared, ahead, "r1");
		send(claim(shared, reader));
		send(claim(exclusive, ticket(exclusive, ahead + 1, "w")));
		release("a1", 0, "order");
		Thread.sleep(10); // the clock of the node moves on, and the limit with it
		assertThat(send(claim(shared, reader))).isInstanceOf(Granted.class);
	}

	@Test
	void writerThatBecomesAReaderLetsOtherReadersIn() throws InterruptedException {
		listen();
		acquire("a1", 5, "order");
		LockTarget shared = LockTarget.shared(List.of("order"));
		Ticket reader = ticket(shared, 1, "r1");
		send(claim(shared, reader));
		send(new NodeCommand.Renew(new CommandHeader(shared, new Attempt("a1")), LEASE, false, null, 0, true, 0));
		assertThat(message()).isEqualTo(offer(reader, "order"));
	}

	@Test
	void forcedReleaseForgetsTheReaders() {
		send(read("r1", 5));
		send(forceRelease(0, "r1"));
		send(read("r2", 5));
		assertThat(inspect("order").holders()).extracting(Inspected.Holder::owner).containsExactly("r2");
	}

	@Test
	void forcedReleaseLeavesReadersWhomTheOperatorHasNotSeen() {
		send(read(INSTANCE + ":1", 5));
		send(read(INSTANCE + ":2", 5));
		send(forceRelease(0, INSTANCE + ":1"));
		assertThat(inspect("order").holders()).extracting(Inspected.Holder::owner).containsExactly(INSTANCE + ":2");
		send(forceRelease(0, INSTANCE + ":2"));
		assertGranted(send(
				new NodeCommand.Acquire(new CommandHeader(LockTarget.exclusive(List.of("order")), new Attempt("w1")),
						LEASE, new long[] { 9 }, 1, 90_000, null, 1)),
				0, 9L);
	}

	@Test
	void forcedReleaseNotifiesTheHolderAndOffersTheName() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire(INSTANCE + ":5", 5, "order");
		Ticket waiting = ticket(order, 1, "waiting");
		send(claim(order, waiting));
		send(forceRelease(0, INSTANCE + ":5"));
		assertMessages(new InstanceMessage.Forced(INSTANCE + ":5", 0), offer(waiting, "order"));
	}

	@Test
	void forcedReleaseOfAPermitSaysWhichToItsHolderAlone() throws InterruptedException {
		listen();
		LockTarget two = LockTarget.permits("order", 2);
		send(permit(two, INSTANCE + ":1", 1, null));
		send(permit(two, INSTANCE + ":2", 2, null));
		send(forceRelease(2, INSTANCE + ":1", INSTANCE + ":2"));
		assertThat(message()).isEqualTo(new InstanceMessage.Forced(INSTANCE + ":2", 2));
		assertThat(this.listener.messages).isEmpty();
		assertThat(inspect("order").holders()).extracting(Inspected.Holder::permit).containsExactly(1);
	}

	@Test
	void forcedReleaseOfAllPermitsOffersOneToEachThatWaits() throws InterruptedException {
		listen();
		LockTarget three = LockTarget.permits("order", 3);
		for (int i = 1; i <= 3; i++) {
			send(permit(three, "p" + i, i, null));
		}
		List<Ticket> tickets = List.of(ticket(three, 1, "t1"), ticket(three, 2, "t2"));
		tickets.forEach((ticket) -> send(claim(three, ticket)));
		send(forceRelease(0, "p1", "p2", "p3"));
		assertMessages(offer(tickets.get(0), "order"), new InstanceMessage.Next(tickets.get(1).text(), "order"),
				offer(tickets.get(1), "order"));
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void grantToATicketStoresTheFencesAndTakesTheTicketAway() throws InterruptedException {
		listen();
		for (LockTarget target : List.of(LockTarget.exclusive(List.of("a")), LockTarget.exclusive(List.of("b", "c")),
				LockTarget.shared(List.of("d")), LockTarget.shared(List.of("e", "f")))) {
			String[] names = target.names().toArray(String[]::new);
			acquire("a1", 5, names);
			NodeCommand claim = fencedClaim(target, 50);
			assertThat(send(claim)).isInstanceOf(Refused.class);
			assertThat(target.names()).allSatisfy((name) -> assertThat(inspect(name).waiters()).hasSize(1));
			release("a1", 0, names);
			assertThat(send(claim)).isInstanceOf(Granted.class);
			assertThat(target.names()).allSatisfy((name) -> {
				assertThat(inspect(name).waiters()).isEmpty();
				assertThat(inspect(name).fence()).isEqualTo(50);
			});
		}
	}

	@Test
	void permitGrantedToATicketTakesTheTicketAway() throws InterruptedException {
		listen();
		LockTarget two = LockTarget.permits("order", 2);
		send(permit("p1", 1, 5L));
		send(permit("p2", 2, 5L));
		NodeCommand claim = fencedClaim(two, 50);
		assertThat(send(claim)).isInstanceOf(Refused.class);
		assertThat(inspect("order").waiters()).hasSize(1);
		send(new NodeCommand.Release(new CommandHeader(two, new Attempt("p2")), 0));
		assertGranted(send(claim), 2, 50L);
		assertThat(inspect("order").waiters()).isEmpty();
	}

	@Test
	void refusalOfPermitsSaysWhenTheFirstOfThemEnds() {
		LockTarget two = LockTarget.permits("order", 2);
		for (int first : List.of(1, 2)) {
			send(new NodeCommand.Acquire(new CommandHeader(two, new Attempt("p1")), 2 * LEASE, null, 1, 0, null,
					first));
			send(permit("p2", 3 - first, null));
			assertThat(refused(send(permit("p3", 1, null))).remainingMillis()).isBetween(1L, LEASE);
			send(forceRelease(0, "p1", "p2"));
		}
	}

	@Test
	void permitThatIsFreeButForAnOlderTicketIsOfferedToIt() throws InterruptedException {
		listen();
		LockTarget two = LockTarget.permits("order", 2);
		send(new NodeCommand.Acquire(new CommandHeader(two, new Attempt("p1")), 300, null, 1, 0, null, 1));
		send(permit("p2", 2, null));
		Ticket older = ticket(two, 1, "older");
		send(claim(two, older));
		// Its lease ended, so that nobody has released it.
		Awaitility.await().until(() -> inspect("order").holders().size() == 1);
		assertThat(this.listener.messages).isEmpty();
		assertThat(refused(send(claim(two, ticket(two, 2, "later")))).blockers())
			.contains(new Blocker.Waiting(older.text()));
		assertThat(message()).isEqualTo(offer(older, "order"));
	}

	@Test
	void readerThatIsGrantedLetsTheNextReadersIn() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		send(new NodeCommand.Acquire(new CommandHeader(LockTarget.exclusive(List.of("order")), new Attempt("a1")), 300,
				null, 1, 0, null, 1));
		Ticket first = ticket(shared, 1, "r1");
		Ticket second = ticket(shared, 2, "r2");
		send(claim(shared, first));
		send(claim(shared, second));
		awaitFree("order"); // its lease ended, so that nobody has released it
		assertThat(this.listener.messages).isEmpty();
		assertThat(send(claim(shared, first))).isInstanceOf(Granted.class);
		assertThat(message()).isEqualTo(offer(second, "order"));
	}

	@Test
	void ticketBehindADeadOneIsSeen() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		send(new NodeCommand.Acquire(new CommandHeader(order, new Attempt("a1")), 300, null, 1, 0, null, 1));
		send(claim(order, ticket(order, 1, "dead").living(100)));
		Ticket live = ticket(order, 2, "live");
		send(claim(order, live));
		awaitFree("order");
		assertThat(refused(acquire("a2", 5, "order")).blockers()).containsExactly(new Blocker.Waiting(live.text()));
		assertThat(inspect("order").waiters()).containsExactly(live.text());
	}

	@Test
	void releaseOfSeveralNamesCountsAndOffersEachQueue() throws InterruptedException {
		listen();
		acquire("a1", 5, "a", "b");
		Ticket first = ticket(LockTarget.exclusive(List.of("a")), 1, "first");
		Ticket second = ticket(LockTarget.exclusive(List.of("b")), 2, "second");
		send(claim(LockTarget.exclusive(List.of("a")), first));
		send(claim(LockTarget.exclusive(List.of("b")), second));
		assertThat(release("a2", 0, "a", "b")).isEqualTo(new Released(true, 2));
		assertThat(this.listener.messages).isEmpty();
		assertThat(release("a1", 0, "a", "b")).isEqualTo(new Released(true, 2));
		assertMessages(offer(first, "a"), offer(second, "b"));
	}

	@Test
	void lastReaderToLeaveOffersTheName() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		LockTarget exclusive = LockTarget.exclusive(List.of("order"));
		send(shared(shared, "r1", LEASE));
		send(shared(shared, "r2", LEASE));
		Ticket writer = ticket(exclusive, 1, "writer");
		send(claim(exclusive, writer));
		assertThat(release(shared, "r1")).isEqualTo(new Released(true, 1));
		assertThat(this.listener.messages).isEmpty();
		assertThat(release(shared, "r2")).isEqualTo(new Released(true, 1));
		assertThat(message()).isEqualTo(offer(writer, "order"));
	}

	@Test
	void readerOfSeveralNamesOffersEach() throws InterruptedException {
		listen();
		LockTarget both = LockTarget.shared(List.of("a", "b"));
		send(shared(both, "r1", LEASE));
		Ticket first = ticket(LockTarget.exclusive(List.of("a")), 1, "first");
		Ticket second = ticket(LockTarget.exclusive(List.of("b")), 2, "second");
		send(claim(LockTarget.exclusive(List.of("a")), first));
		send(claim(LockTarget.exclusive(List.of("b")), second));
		assertThat(release(both, "r1")).isEqualTo(new Released(true, 2));
		assertMessages(offer(first, "a"), offer(second, "b"));
	}

	@Test
	void releaseOfAPermitWritesTheTicketThatItBringsDown() throws InterruptedException {
		listen();
		LockTarget two = LockTarget.permits("order", 2);
		send(permit(two, "p1", 1, null));
		send(permit(two, "p2", 2, null));
		Ticket next = ticket(two, 1, "next");
		send(new NodeCommand.Release(new CommandHeader(two, new Attempt("p1")), 0, next, false));
		assertThat(message()).isEqualTo(offer(next, "order"));
		assertThat(inspect("order").waiters()).containsExactly(next.text());
	}

	@Test
	void ticketThatIsWithdrawnWhileTheNameIsHeldOffersItToNobody() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		Ticket first = ticket(order, 1, "first");
		Ticket second = ticket(order, 2, "second");
		send(claim(order, first));
		send(claim(order, second));
		send(new NodeCommand.Withdraw(new CommandHeader(order, new Attempt("first")), first.text()));
		assertThat(inspect("order").waiters()).containsExactly(second.text());
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void claimThatDoesNotWaitIsToldHowManyDo() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		assertThat(refused(acquire("a2", 5, "order")).rank()).isZero();
		send(claim(order, ticket(order, 1, "first")));
		send(claim(order, ticket(order, 2, "second")));
		assertThat(refused(acquire("a2", 5, "order")).rank()).isEqualTo(2);
		assertThat(refused(acquire("a2", 5, "order", "other")).rank()).isEqualTo(2);
	}

	@Test
	void readerDoesNotPassTheWriterThatWaitsForReaders() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		LockTarget exclusive = LockTarget.exclusive(List.of("order"));
		send(shared(shared, "r1", LEASE));
		Ticket writer = ticket(exclusive, 1, "writer");
		send(claim(exclusive, writer));
		assertThat(refused(send(shared(shared, "r2", LEASE))).blockers())
			.containsExactly(new Blocker.Waiting(writer.text()));
	}

	@Test
	void writerWhoseTicketEndedHoldsUpNoReader() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		LockTarget exclusive = LockTarget.exclusive(List.of("order"));
		send(shared(shared, "r1", LEASE));
		send(claim(exclusive, ticket(exclusive, 1, "writer").living(100)));
		Awaitility.await().until(() -> inspect("order").waiters().isEmpty());
		assertThat(send(shared(shared, "r2", LEASE))).isInstanceOf(Granted.class);
	}

	@Test
	void nameThatCoolsDownIsOfferedToNobody() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		send(claim(order, ticket(order, 1, "first")));
		assertThat(release("a1", LEASE, "order")).isEqualTo(new Released(true, 1));
		assertThat(refused(acquire("a2", 5, "order")).coolingDown()).isTrue();
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void repeatedReleaseOffersNothingAnew() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		Ticket first = Ticket.of(1, order, LEASE, INSTANCE + ":first").living(LEASE);
		Ticket second = ticket(order, 2, "second");
		send(claim(order, first));
		send(claim(order, second));
		release("a1", 0, "order");
		assertMessages(offer(first, "order"), new InstanceMessage.Next(second.text(), "order"));
		assertThat(release("a1", 0, "order")).isEqualTo(new Released(true, 2));
		assertThat(inspect("order").waiters()).hasSize(2);
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void forcedReleaseFreesAllPermits() {
		LockTarget two = LockTarget.permits("order", 2);
		send(permit("p1", 1, null));
		send(permit("p2", 2, null));
		send(forceRelease(0, "p1", "p2"));
		assertThat(inspect("order").holders()).isEmpty();
	}

	@Test
	void forcedReleaseLeavesPermitsOfHoldersWhomTheOperatorHasNotSeen() {
		send(permit(INSTANCE + ":1", 1, null));
		send(permit(INSTANCE + ":2", 2, null));
		send(forceRelease(0, INSTANCE + ":2"));
		assertThat(inspect("order").holders()).extracting(Inspected.Holder::permit).containsExactly(1);
	}

	@Test
	void forcedReleaseOfOnePermitLeavesTheOthers() {
		LockTarget two = LockTarget.permits("order", 2);
		send(permit("p1", 1, null));
		send(permit("p2", 2, null));
		assertThat(send(forceRelease(2, "p1", "p2"))).isEqualTo(new Done(true));
		assertThat(inspect("order").holders()).extracting(Inspected.Holder::owner).containsExactly("p1");
	}

}
