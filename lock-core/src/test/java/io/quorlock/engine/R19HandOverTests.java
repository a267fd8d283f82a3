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

package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockMode;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * R17 and R19: the released lease of a writer passes to readers of this JVM as well, and
 * back.
 */
@Timeout(60)
class R19HandOverTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	private static final LockRequest READ = ORDER.shared();

	private static final Duration WAIT = Duration.ofSeconds(5);

	private final ScriptedCluster cluster = new ScriptedCluster(3);

	private final LockHandle writer = this.cluster.acquire(ORDER).join();

	private final long token = this.writer.fencingToken();

	private CompletableFuture<LockHandle> writer() {
		return this.cluster.acquire(ORDER, WAIT);
	}

	private CompletableFuture<LockHandle> reader() {
		return this.cluster.acquire(READ, WAIT);
	}

	private List<String> operations() {
		return this.cluster.nodes.get(0).operations();
	}

	@Test
	void leasePassesToAllReadersInFrontOfTheNextWriterAndOn() {
		CompletableFuture<LockHandle> first = reader();
		CompletableFuture<LockHandle> second = reader();
		CompletableFuture<LockHandle> nextWriter = writer();
		CompletableFuture<LockHandle> third = reader();
		this.writer.closeAsync();
		assertThat(List.of(first, second)).allSatisfy((reader) -> {
			assertThat(reader.join().mode()).isEqualTo(LockMode.SHARED);
			assertThat(reader.join().fencingToken()).isEqualTo(this.token + 1);
		});
		assertThat(third).isNotDone();
		first.join().closeAsync();
		assertThat(nextWriter).isNotDone();
		second.join().closeAsync();
		assertThat(nextWriter.join().mode()).isEqualTo(LockMode.EXCLUSIVE);
		assertThat(nextWriter.join().fencingToken()).isEqualTo(this.token + 2);
		assertThat(third).isNotDone();
		nextWriter.join().closeAsync();
		assertThat(third.join().fencingToken()).isEqualTo(this.token + 3);
		assertThat(operations()).containsExactly("acquire");
		third.join().closeAsync();
		assertThat(operations()).containsExactly("acquire", "release");
	}

	@Test
	void lateCloseOfAReaderReleasesNothing() {
		CompletableFuture<LockHandle> reader = reader();
		CompletableFuture<LockHandle> nextWriter = writer();
		this.writer.closeAsync();
		reader.join().closeAsync();
		reader.join().closeAsync();
		assertThat(nextWriter.join().isHeld()).isTrue();
		assertThat(reader.join().isHeld()).isFalse();
		assertThat(operations()).containsExactly("acquire");
	}

	@Test
	void readerThatComesLaterJoinsUnlessAWriterWaits() {
		CompletableFuture<LockHandle> first = reader();
		this.writer.closeAsync();
		CompletableFuture<LockHandle> second = this.cluster.acquire(READ);
		assertThat(second.join().fencingToken()).isEqualTo(first.join().fencingToken());
		CompletableFuture<LockHandle> nextWriter = writer();
		CompletableFuture<LockHandle> third = reader();
		assertThat(this.cluster.acquire(READ)).isCompletedExceptionally();
		first.join().closeAsync();
		second.join().closeAsync();
		assertThat(nextWriter).isCompleted();
		assertThat(third).isNotDone();
		assertThat(operations()).containsExactly("acquire");
	}

	@Test
	void readerWhoSharesALeaseOfSeveralNamesHoldsTheOneThatItAskedFor() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle several = cluster.acquire(LockRequest.ofAll("order", "stock").shared()).join();
		LockHandle one = cluster.acquire(LockRequest.of("order").shared()).join();
		assertThat(cluster.nodes.get(0).operations()).containsOnlyOnce("acquire");
		assertThat(one.names()).containsExactly("order");
		assertThat(one.fencingToken()).isEqualTo(several.fencingToken("order"));
		several.close();
		assertThat(one.isHeld()).isTrue();
	}

	@Test
	void writerWithoutAWaitIsRefusedWhileReadersHoldTheLease() {
		CompletableFuture<LockHandle> reader = reader();
		this.writer.closeAsync();
		assertThat(this.cluster.acquire(ORDER)).isCompletedExceptionally();
		assertThat(reader.join().isHeld()).isTrue();
	}

	@Test
	void manyReadersAreOneTurnAndTheTurnsHaveAnEnd() {
		List<CompletableFuture<LockHandle>> readers = IntStream.range(0, 40).mapToObj((i) -> reader()).toList();
		CompletableFuture<LockHandle> last = writer();
		this.writer.closeAsync();
		readers.forEach((reader) -> reader.join().closeAsync());
		assertThat(operations()).containsExactly("acquire");
		long before = this.token + 1;
		for (int turn = 2; turn < 40; turn++) {
			CompletableFuture<LockHandle> next = (turn % 2 == 0) ? reader() : writer();
			assertThat(last.join().fencingToken()).isGreaterThan(before);
			before = last.join().fencingToken();
			last.join().closeAsync();
			last = next;
		}
		assertThat(operations().stream().filter("acquire"::equals)).hasSizeBetween(3, 4);
	}

	@Test
	void readersThatStayShareTheLeaseWithOtherInstancesAfterTheMaximumDuration() {
		CompletableFuture<LockHandle> reader = reader();
		this.writer.closeAsync();
		this.cluster.time.advance(Duration.ofMillis(49));
		assertThat(operations()).containsExactly("acquire");
		this.cluster.time.advance(Duration.ofMillis(1));
		assertThat(operations()).containsExactly("acquire", "renew");
		NodeCommand renew = this.cluster.nodes.get(0).last().command();
		assertThat(renew.target().kind()).isEqualTo(LockTarget.Kind.SHARED);
		assertThat(reader.join().isHeld()).isTrue();
		CompletableFuture<LockHandle> beside = this.cluster.acquire(READ);
		assertThat(beside.join().isHeld()).isTrue(); // with a lease of its own
		assertThat(operations()).containsExactly("acquire", "renew", "acquire");
	}

	@Test
	void leaseThatIsSharedOnTheNodesPassesToNoWriter() {
		CompletableFuture<LockHandle> reader = reader();
		this.writer.closeAsync();
		CompletableFuture<LockHandle> nextWriter = writer();
		this.cluster.time.advance(Duration.ofMillis(50));
		reader.join().closeAsync();
		assertThat(nextWriter.join().isHeld()).isTrue();
		assertThat(operations()).containsExactly("acquire", "renew", "release", "acquire");
	}

	@Test
	void readerWithAFixedLeaseWaitsUntilTheLeaseIsShared() {
		CompletableFuture<LockHandle> reader = reader();
		this.writer.closeAsync();
		CompletableFuture<LockHandle> fixed = this.cluster.acquire(READ.leaseTime(Duration.ofSeconds(10)), WAIT);
		assertThat(fixed).isNotDone();
		this.cluster.time.advance(Duration.ofMillis(50));
		assertThat(fixed.join().isHeld()).isTrue();
		assertThat(reader.join().isHeld()).isTrue();
		assertThat(operations()).containsExactly("acquire", "renew", "acquire");
	}

	@Test
	void leaseIsNotSharedOnTheNodesOnceAWriterHasIt() {
		CompletableFuture<LockHandle> reader = reader();
		CompletableFuture<LockHandle> nextWriter = writer();
		this.writer.closeAsync();
		reader.join().closeAsync();
		this.cluster.time.advance(Duration.ofMillis(60));
		assertThat(nextWriter.join().isHeld()).isTrue();
		assertThat(nextWriter.join().mode()).isEqualTo(LockMode.EXCLUSIVE);
		assertThat(operations()).containsExactly("acquire");
	}

	@Test
	void readersWhoGaveUpMeanwhileKeepTheLeaseFromNobody() {
		CompletableFuture<LockHandle> first = reader();
		CompletableFuture<LockHandle> second = reader();
		CompletableFuture<LockHandle> nextWriter = writer();
		first.thenAccept((handle) -> {
			second.cancel(false);
			handle.closeAsync();
		});
		this.writer.closeAsync();
		assertThat(nextWriter.join().isHeld()).isTrue();
		assertThat(operations()).containsExactly("acquire");
		nextWriter.join().closeAsync();
		assertThat(operations()).containsExactly("acquire", "release");
	}

	@Test
	void leaseIsReleasedOnceAllReadersHaveLeftWhileItPassed() {
		CompletableFuture<LockHandle> first = reader();
		CompletableFuture<LockHandle> second = reader();
		first.thenAccept(LockHandle::closeAsync);
		second.thenAccept(LockHandle::closeAsync);
		this.writer.closeAsync();
		assertThat(operations()).containsExactly("acquire", "release");
		assertThat(this.cluster.acquire(ORDER).join().isHeld()).isTrue();
	}

	@Test
	void lossNotifiesAllReaders() {
		List<CompletableFuture<LockHandle>> readers = List.of(reader(), reader());
		this.writer.closeAsync();
		List<LockLostEvent> events = new ArrayList<>();
		readers.forEach((reader) -> reader.join().onLost(events::add));
		new LockInspector(this.cluster.engine).forceRelease("order");
		assertThat(events).hasSize(2);
		assertThat(readers).allSatisfy((reader) -> assertThat(reader.join().isHeld()).isFalse());
	}

	@Test
	void lossTellsEachReaderForHowLongItHeldTheLock() {
		CompletableFuture<LockHandle> first = reader();
		this.writer.closeAsync();
		this.cluster.time.advance(Duration.ofMillis(20));
		LockHandle second = this.cluster.acquire(READ).join();
		this.cluster.time.advance(Duration.ofMillis(30));
		List<Duration> times = new ArrayList<>();
		first.join().onLost((event) -> times.add(event.heldFor()));
		second.onLost((event) -> times.add(event.heldFor()));
		new LockInspector(this.cluster.engine).forceRelease("order");
		assertThat(times).containsExactlyInAnyOrder(Duration.ofMillis(50), Duration.ofMillis(30));
	}

	@Test
	void stopReleasesOnceAndNotifiesAllReaders() {
		List<CompletableFuture<LockHandle>> readers = List.of(reader(), reader());
		this.writer.closeAsync();
		List<LockLostEvent> events = new ArrayList<>();
		readers.forEach((reader) -> reader.join().onLost(events::add));
		this.cluster.engine.stop();
		assertThat(events).hasSize(2);
		assertThat(operations()).containsExactly("acquire", "release");
	}

	@Test
	void readerOfAnExclusiveLeaseIsInspectedAndRefusedAsAReader() {
		CompletableFuture<LockHandle> reader = reader();
		this.writer.closeAsync();
		assertThat(new LockInspector(this.cluster.engine).held()).singleElement().satisfies((hold) -> {
			assertThat(hold.mode()).isEqualTo(LockMode.SHARED);
			assertThat(hold.fencingTokens()).containsEntry("order", this.token + 1);
		});
		assertThatIllegalStateException().isThrownBy(reader.join()::downgrade)
			.withMessageContaining("not held exclusively");
	}

	@Test
	void writerThatGotTheLeaseByHandOverIsDowngradedWithItsToken() {
		CompletableFuture<LockHandle> second = writer();
		CompletableFuture<LockHandle> reader = reader();
		CompletableFuture<LockHandle> third = writer();
		this.writer.closeAsync();
		second.join().downgrade();
		assertThat(second.join().mode()).isEqualTo(LockMode.SHARED);
		assertThat(reader.join().fencingToken()).isEqualTo(this.token + 1);
		second.join().closeAsync();
		assertThat(third).isNotDone();
		reader.join().closeAsync();
		assertThat(third.join().isHeld()).isTrue();
		assertThat(operations()).containsExactly("acquire", "renew", "release", "acquire");
	}

	@Test
	void extensionByAReaderEndsTheHandOver() {
		CompletableFuture<LockHandle> reader = reader();
		CompletableFuture<LockHandle> nextWriter = writer();
		this.writer.closeAsync();
		reader.join().extend(Duration.ofSeconds(60));
		reader.join().closeAsync();
		assertThat(nextWriter.join().isHeld()).isTrue();
		assertThat(operations()).containsExactly("acquire", "renew", "release", "acquire");
	}

	@Test
	void readersLeasePassesToNoWriter() {
		this.writer.closeAsync();
		LockHandle reader = this.cluster.acquire(READ).join();
		CompletableFuture<LockHandle> nextWriter = writer();
		reader.closeAsync();
		assertThat(nextWriter.join().isHeld()).isTrue();
		assertThat(operations()).containsExactly("acquire", "release", "acquire", "release", "acquire");
	}

	@Test
	void writerIsAReaderBeforeTheNodesAreAsked() {
		List<LockMode> modes = new ArrayList<>();
		this.cluster.nodes.get(0).script = (command) -> {
			modes.add(this.writer.mode());
			return ScriptedNode.grant(command);
		};
		this.writer.downgrade();
		assertThat(modes).containsExactly(LockMode.SHARED);
		assertThat(this.writer.mode()).isEqualTo(LockMode.SHARED);
	}

	@Test
	void writerWhoseLeaseWasPassedOnDowngradesNothing() {
		CompletableFuture<LockHandle> nextWriter = writer();
		this.writer.closeAsync();
		assertThat(((Handle) this.writer).downgradeAsync()).isCompletedWithValue(false);
		assertThat(this.writer.mode()).isEqualTo(LockMode.EXCLUSIVE);
		assertThat(nextWriter.join().mode()).isEqualTo(LockMode.EXCLUSIVE);
		assertThat(operations()).containsExactly("acquire");
	}

	@Test
	void readerDoesNotShortenTheLeaseOfTheOthers() {
		CompletableFuture<LockHandle> first = reader();
		CompletableFuture<LockHandle> second = reader();
		this.writer.closeAsync();
		first.join().extend(Duration.ofSeconds(5));
		assertThat(second.join().remaining()).isGreaterThan(Duration.ofSeconds(29));
	}

	/** On each node other readers, of which it tells the first ones only. */
	@Test
	void manyReadersAreTold() {
		ScriptedCluster held = new ScriptedCluster(3);
		held.nodes.forEach((node) -> {
			List<String> readers = IntStream.range(0, 64).mapToObj((i) -> node.name() + "@host:1:ab:" + i).toList();
			node.script = (command) -> (command instanceof NodeCommand.Acquire)
					? new NodeReply.Refused(true, List.of(new Blocker.Readers(readers)), 20_000, null, 0)
					: ScriptedNode.grant(command);
		});
		CompletableFuture<LockHandle> lock = held.acquire(ORDER);
		held.time.advance(Duration.ofSeconds(1));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.withCauseInstanceOf(LockNotAcquiredException.class)
			.withMessageContaining("many readers shares it");
	}

	@Test
	void readersWhoLeaveBeforeTheyAreSharedWithOthersLeaveNoTimer() {
		CompletableFuture<LockHandle> first = reader();
		CompletableFuture<LockHandle> second = reader();
		CompletableFuture<LockHandle> nextWriter = writer();
		CompletableFuture<LockHandle> third = reader();
		this.writer.closeAsync();
		first.join().closeAsync();
		second.join().closeAsync();
		nextWriter.join().closeAsync();
		third.join().closeAsync();
		assertThat(this.cluster.time.pending()).isZero();
	}

}
