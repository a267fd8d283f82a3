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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeCommand;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R17: a released lease may pass to the next request of this JVM.
 */
@Timeout(60)
class R17HandOverTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void releasedLeasePassesToTheNextInQueueWithTheNextToken() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle first = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> second = cluster.acquire(ORDER, Duration.ofSeconds(5));
		CompletableFuture<LockHandle> third = cluster.acquire(ORDER, Duration.ofSeconds(5));
		long token = first.fencingToken();
		first.closeAsync();
		assertThat(second.join().fencingToken()).isEqualTo(token + 1);
		assertThat(third).isNotDone();
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire");
		first.closeAsync(); // an earlier holder's late close releases nothing
		assertThat(second.join().isHeld()).isTrue();
	}

	@Test
	void handOverEndsAfterItsMaximumAndItsDuration() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		CompletableFuture<LockHandle> holder = cluster.acquire(ORDER);
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			waiting.add(cluster.acquire(ORDER, Duration.ofSeconds(60)));
		}
		long last = 0;
		holder.join().closeAsync();
		for (CompletableFuture<LockHandle> next : waiting) {
			assertThat(next.join().fencingToken()).isGreaterThan(last);
			last = next.join().fencingToken();
			next.join().closeAsync();
		}
		assertThat(cluster.nodes.get(0).operations().stream().filter("acquire"::equals)).hasSize(3);
	}

	@Test
	void nextAsksBehindTheReleaseIfNoOtherInstanceReceivedThePreviousOne() {
		ScriptedCluster cluster = releaseTwice(0, 0, 0);
		assertThat(cluster.nodes.get(0).packets).endsWith(List.of("release", "acquire"));
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire",
				"release", "acquire", "release", "acquire"));
	}

	/** The claim of another instance came to the first node alone so far. */
	@Test
	void nextWaitsForTheReleaseIfAnotherInstanceWaitsOnOneNode() {
		ScriptedCluster cluster = releaseTwice(1, 0, 0);
		NodeCommand.Release release = (NodeCommand.Release) cluster.nodes.get(0).last().command();
		assertThat(release.ticket()).as("that of the next").isNotNull();
	}

	/** The nodes take the ticket of a release for one of the same kind. */
	@Test
	void readerBehindAWriterAsksForItself() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		LockHandle writer = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> reader = cluster.acquire(ORDER.shared(), Duration.ofSeconds(5));
		cluster.nodes.forEach((node) -> node.withWaiting(2));
		writer.closeAsync();
		assertThat(reader).isCompleted();
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release", "acquire"));
		NodeCommand.Release release = (NodeCommand.Release) cluster.nodes.get(0).requests.get(1).command();
		assertThat(release.ticket()).isNull();
	}

	@Test
	void nextWaitsForTheReleaseIfOtherInstancesReceivedThePreviousOne() {
		ScriptedCluster cluster = releaseTwice(1, 1, 1);
		assertThat(cluster.nodes).allSatisfy(
				(node) -> assertThat(node.operations()).containsExactly("acquire", "release", "acquire", "release"));
		NodeCommand.Release release = (NodeCommand.Release) cluster.nodes.get(0).last().command();
		assertThat(release.ticket()).as("that of the next").isNotNull();
	}

	@Test
	void releaseIsSentAlthoughTheNextInQueueKeepsWaiting() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(LockRequest.of("order").leaseTime(LEASE)).join();
		CompletableFuture<LockHandle> next = cluster.acquire(LockRequest.ofAll("order", "stock"),
				Duration.ofSeconds(5));
		cluster.acquire(LockRequest.of("stock").leaseTime(LEASE)).join();
		lock.closeAsync();
		assertThat(next).isNotDone();
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.sent).contains("release"));
	}

	@Test
	void releaseIsSentAlthoughTheNextInQueueSendsNothing() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		List<CompletableFuture<LockHandle>> requests = requests(cluster);
		requests.get(0).join().closeAsync(); // nobody heard it: the next one asks at once
		CompletableFuture<LockHandle> stock = cluster.acquire(LockRequest.of("stock"));
		assertThat(stock).isCompleted();
		CompletableFuture<LockHandle> both = cluster.acquire(LockRequest.ofAll("order", "stock"),
				Duration.ofSeconds(5));
		requests.get(2).cancel(false);
		requests.get(1).join().closeAsync();
		assertThat(both).isNotDone();
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).endsWith("release", "acquire", "acquire", "release"));
	}

	@Test
	void nextWaitsForTheReleaseIfOthersHeldTheLockMeanwhile() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		List<CompletableFuture<LockHandle>> requests = requests(cluster);
		cluster.nodes.forEach(ScriptedNode::refusing);
		requests.get(0).join().closeAsync();
		cluster.grant();
		cluster.time.advance(Duration.ofMillis(600));
		LockHandle second = requests.get(1).join();
		cluster.silence();
		second.closeAsync();
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.operations()).endsWith("acquire", "release"));
	}

	@Test
	void nextWaitsForTheReleaseIfOthersWereExcludedForTheMaximumDuration() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		List<CompletableFuture<LockHandle>> requests = requests(cluster);
		requests.get(0).join().closeAsync();
		cluster.time.advance(cluster.engine.settings().handoverMaxDuration());
		cluster.silence();
		requests.get(1).join().closeAsync();
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.operations()).endsWith("acquire", "release"));
	}

	@Test
	void instanceThatWasAloneGivesWayToNewWaitersAfterOneMoreTurn() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		List<CompletableFuture<LockHandle>> requests = requests(cluster);
		CompletableFuture<LockHandle> last = cluster.acquire(ORDER, Duration.ofSeconds(5));
		requests.get(0).join().closeAsync();
		cluster.nodes.forEach((node) -> node.withWaiting(1)); // from now on another waits
		requests.get(1).join().closeAsync();
		assertThat(requests.get(2)).isCompleted();
		requests.get(2).join().closeAsync();
		assertThat(last).isNotDone();
		cluster.offer(0, 1);
		assertThat(last).isCompleted();
	}

	@Test
	void extendedLeaseIsNotHandedOver() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle first = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> second = cluster.acquire(ORDER, Duration.ofSeconds(5));
		first.extend(Duration.ofSeconds(60));
		first.closeAsync();
		assertThat(second.join().remaining()).isLessThan(LEASE);
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "renew", "release", "acquire");
	}

	/** So many others wait at the first release; the second is not answered. */
	private ScriptedCluster releaseTwice(int... others) {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		List<CompletableFuture<LockHandle>> requests = requests(cluster);
		for (int i = 0; i < 3; i++) {
			cluster.nodes.get(i).withWaiting(1 + others[i]);
		}
		requests.get(0).join().closeAsync();
		cluster.offer(0, 1);
		cluster.silence();
		requests.get(1).join().closeAsync();
		return cluster;
	}

	private List<CompletableFuture<LockHandle>> requests(ScriptedCluster cluster) {
		return List.of(cluster.acquire(ORDER), cluster.acquire(ORDER, Duration.ofSeconds(5)),
				cluster.acquire(ORDER, Duration.ofSeconds(5)));
	}

}
