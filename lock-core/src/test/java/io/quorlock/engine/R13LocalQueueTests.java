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

import io.quorlock.LockContext;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.Refusals;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * R13: the requests of one JVM queue locally, and only the head asks the nodes.
 */
@Timeout(60)
class R13LocalQueueTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	/** Most questions of the head are asked of a single node. */
	@Test
	void requestBehindOneThatIsRefusedIsToldWhoHoldsTheLock() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::refusing);
		cluster.acquire(ScriptedCluster.ORDER, Duration.ofSeconds(60));
		for (int i = 0; i < 20; i++) {
			CompletableFuture<LockHandle> queued = cluster.acquire(ScriptedCluster.ORDER, Duration.ofMillis(300));
			cluster.time.advance(Duration.ofMillis(300));
			assertThatExceptionOfType(CompletionException.class).isThrownBy(queued::join)
				.withCauseInstanceOf(LockNotAcquiredException.class)
				.withMessageContaining("other@host:1 holds it");
		}
	}

	@Test
	void requestBehindOneWhoseVotesAreDividedIsNotToldOfAnOutage() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.get(1).refusing();
		cluster.nodes.get(2).script = (command) -> (command instanceof NodeCommand.Acquire)
				? Refusals.of(true, List.of("third@host:1:cd:9"), 20_000, null) : ScriptedNode.grant(command);
		cluster.acquire(ScriptedCluster.ORDER, Duration.ofSeconds(60));
		CompletableFuture<LockHandle> queued = cluster.acquire(ScriptedCluster.ORDER, Duration.ofMillis(300));
		cluster.time.advance(Duration.ofMillis(300));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(queued::join)
			.withCauseInstanceOf(LockNotAcquiredException.class)
			.withMessageContaining("in front of it");
	}

	@Test
	void onlyTheHeadOfAQueueAsksTheNodes() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire");
	}

	/**
	 * Nor do names whose hash codes are the same: "Aa" and "BB" have one, and so has all
	 * that is put together from them. The others are more than a table of locks has
	 * stripes.
	 */
	@Test
	void namesDoNotWaitForEachOther() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle held = cluster.acquire(LockRequest.of("AaAa")).join();
		CompletableFuture<LockHandle> queued = cluster.acquire(LockRequest.of("AaAa"), Duration.ofSeconds(60));
		cluster.silence();
		CompletableFuture<LockHandle> asking = cluster.acquire(LockRequest.of("AaBB"), Duration.ofSeconds(60));
		CompletableFuture<LockHandle> behind = cluster.acquire(LockRequest.of("AaBB"), Duration.ofSeconds(60));
		cluster.grant();
		List<LockRequest> others = new ArrayList<>(
				List.of(LockRequest.of("BBAa"), LockRequest.of("BBBB"), LockRequest.ofAll("AaAaAa", "BBBBBB"),
						LockRequest.of("AaAaBB").shared(), LockRequest.of("AaBBAa").permits(2)));
		IntStream.range(0, 500).forEach((i) -> others.add(LockRequest.of("order").key(i)));
		// By another thread, which owns none of the locks of the first.
		CompletableFuture<List<LockHandle>> acquired = CompletableFuture
			.supplyAsync(() -> others.stream().map((request) -> cluster.acquire(request).join()).toList());
		assertThat(acquired).succeedsWithin(Duration.ofSeconds(20))
			.satisfies((handles) -> assertThat(handles).hasSameSizeAs(others).allMatch(LockHandle::isHeld));
		assertThat(List.of(queued, asking, behind)).noneMatch(CompletableFuture::isDone);
		held.closeAsync();
		assertThat(queued.join().isHeld()).isTrue();
	}

	/** A place in a queue is kept while others of the names are held. */
	@Test
	void requestForOneNamePassesNobodyWhoWaitsForSeveral() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockRequest invoice = LockRequest.of("invoice");
		LockHandle order = cluster.acquire(ORDER).join();
		LockHandle other = cluster.acquire(invoice).join();
		CompletableFuture<LockHandle> both = cluster.acquire(LockRequest.ofAll("order", "invoice"),
				Duration.ofSeconds(5));
		order.close();
		CompletableFuture<LockHandle> single = cluster.acquire(ORDER, Duration.ofSeconds(5));
		assertThat(single).isNotDone();
		other.close();
		assertThat(both.join().isHeld()).isTrue();
		assertThat(single).isNotDone();
		both.join().close();
		assertThat(single.join().isHeld()).isTrue();
	}

	@Test
	void requestInsideALockOfAnotherEnginePassesNobody() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle foreign = new ScriptedCluster(3).acquire(LockRequest.of("report")).join();
		LockHandle order = cluster.acquire(ORDER).join();
		LockHandle other = cluster.acquire(LockRequest.of("invoice")).join();
		CompletableFuture<LockHandle> both = cluster.acquire(LockRequest.ofAll("order", "invoice"),
				Duration.ofSeconds(5));
		CompletableFuture<LockHandle> inside = cluster.acquire(ORDER.within(LockContext.with(foreign, null)),
				Duration.ofSeconds(5));
		order.close();
		assertThat(inside).isNotDone();
		other.close();
		assertThat(both.join().isHeld()).isTrue();
	}

	@Test
	void requestWaitsHereForAPermitOnceThisInstanceHoldsAllOfThem() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockRequest request = ORDER.permits(2);
		LockHandle first = cluster.acquire(request).join();
		cluster.acquire(request).join();
		CompletableFuture<LockHandle> third = cluster.acquire(request, Duration.ofSeconds(5));
		assertThat(third).isNotDone();
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "acquire");
		first.close();
		assertThat(third.join().isHeld()).isTrue();
	}

	@Test
	void readerThatLeftTheQueueForALeaseThatWasLostIsToldOfPermits() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle writer = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> first = cluster.acquire(ORDER.shared(), Duration.ofSeconds(5));
		CompletableFuture<LockHandle> second = cluster.acquire(ORDER.shared(), Duration.ofSeconds(5));
		first.thenRun(() -> {
			cluster.silence();
			new LockInspector(cluster.engine).forceRelease("order");
			cluster.acquire(ORDER.permits(2));
		});
		((Handle) writer).downgradeAsync();
		assertToldOfPermits(second);
	}

	@Test
	void requestBehindAGrantThatIsNotWantedIsToldOfPermits() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> first = cluster.acquire(ORDER);
		CompletableFuture<LockHandle> second = cluster.acquire(ORDER);
		first.cancel(true);
		cluster.nodes.get(0).script = (command) -> {
			if (command instanceof NodeCommand.Release) {
				cluster.silence();
				cluster.acquire(ORDER.permits(2));
			}
			return ScriptedNode.grant(command);
		};
		cluster.nodes.forEach((node) -> node.requests.get(0).grant());
		assertToldOfPermits(second);
	}

	@Test
	void requestWhoseGrantWasLostBeforeTheHandOutIsToldOfPermits() {
		ScriptedNode node = new ScriptedNode("node").granting();
		ManualTime time = new ManualTime();
		List<Runnable> callbacks = new ArrayList<>();
		List<LockException> failures = new ArrayList<>();
		RequestObserver observer = (request) -> new RequestObservation() {

			@Override
			public void onFailed(LockException failure, int attempts) {
				failures.add(failure);
			}

		};
		LockEngine engine = TestEngines.create(TestSettings.defaults("app@host:1"), List.of(node), time, time,
				callbacks::add, List.of(), List.of(), List.of(observer));
		engine.start();
		CompletableFuture<LockHandle> lock = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		node.silent();
		new LockInspector(engine).forceRelease("order");
		engine.acquireAsync(ORDER.permits(2), Duration.ZERO);
		while (!callbacks.isEmpty()) {
			callbacks.remove(0).run();
		}
		assertToldOfPermits(lock);
		assertThat(failures).hasSize(1);
	}

	private static void assertToldOfPermits(CompletableFuture<LockHandle> lock) {
		assertThat(lock).isCompletedExceptionally();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("use two names");
	}

	@Test
	void requestThatGetsItsTurnLeavesNoTimer() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		int before = cluster.time.pending();
		LockHandle first = cluster.acquire(ScriptedCluster.ORDER).join();
		CompletableFuture<LockHandle> second = cluster.acquire(ScriptedCluster.ORDER, Duration.ofMinutes(5));
		first.closeAsync();
		second.join().closeAsync();
		assertThat(cluster.time.pending()).isEqualTo(before);
	}

}
