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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.ReleaseRequest;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R24: release requests.
 */
@Timeout(60)
@ExtendWith(LogCaptureExtension.class)
class R24ReleaseRequestTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private static final Duration DEADLINE = Duration.ofSeconds(3);

	private final ManualTime time = new ManualTime();

	private final List<InMemoryLockNode> nodes = List.of(node("a"), node("b"), node("c"));

	private final LockEngine engine = TestEngines.create(TestSettings.defaults("app@host:1"), this.nodes, this.time,
			this.time, Runnable::run, List.of(), List.of());

	private final List<ReleaseRequest> requests = new ArrayList<>();

	R24ReleaseRequestTests() {
		this.engine.start();
	}

	private InMemoryLockNode node(String name) {
		return new InMemoryLockNode(name, this.time);
	}

	private CompletableFuture<LockHandle> acquire(LockRequest request, Duration wait) {
		return this.engine.acquireAsync(request, wait);
	}

	private LockHandle acquire(LockRequest request) {
		return acquire(request, Duration.ZERO).join();
	}

	private boolean request() {
		return new LockInspector(this.engine).requestRelease("order", DEADLINE).join();
	}

	@Test
	void requestReachesTheHolderOnceWithItsDeadline() {
		LockHandle lock = acquire(ORDER);
		lock.onReleaseRequested(this.requests::add);
		assertThat(request()).isTrue();
		assertThat(this.requests).containsExactly(new ReleaseRequest(List.of("order"), DEADLINE));
		assertThat(lock.isHeld()).isTrue();
		request();
		assertThat(this.requests).hasSize(2);
	}

	/** Whatever the holder does then, no reply and no renewal waits for it (R15). */
	@Test
	void requestReachesTheHolderOnAThreadForUserCode() {
		Queue<Runnable> userCode = new ArrayDeque<>();
		LockEngine engine = TestEngines.create(TestSettings.defaults("app@host:2"),
				List.of(node("d"), node("e"), node("f")), this.time, this.time, userCode::add, List.of(), List.of());
		engine.start();
		CompletableFuture<LockHandle> lock = engine.acquireAsync(ORDER, Duration.ZERO);
		run(userCode);
		lock.join().onReleaseRequested(this.requests::add);
		CompletableFuture<Boolean> received = new LockInspector(engine).requestRelease("order", DEADLINE);
		assertThat(this.requests).isEmpty();
		run(userCode);
		assertThat(received).isCompletedWithValue(true);
		assertThat(this.requests).hasSize(1);
	}

	private static void run(Queue<Runnable> userCode) {
		for (Runnable next = userCode.poll(); next != null; next = userCode.poll()) {
			next.run();
		}
	}

	/** A leader holds its role for as long as nobody asks for it. */
	@Test
	void holderThatHearsOfRequestsIsNotReportedAsHeldForLong(CapturedLog output) {
		LockHandle leader = acquire(LockRequest.of("role"));
		leader.onReleaseRequested(this.requests::add);
		LockHandle forgotten = acquire(ORDER);
		this.time.advance(Duration.ofMinutes(11));
		assertThat(leader.isHeld()).isTrue();
		assertThat(forgotten.isHeld()).isTrue();
		assertThat(output).contains("Lock 'order' has been held for").doesNotContain("Lock 'role' has been held for");
	}

	@Test
	void deadlineOfCenturiesIsLimitedAndAnEarlierOneIsNow() {
		acquire(ORDER).onReleaseRequested(this.requests::add);
		LockInspector inspector = new LockInspector(this.engine);
		assertThat(inspector.requestRelease("order", Duration.ofSeconds(Long.MAX_VALUE)).join()).isTrue();
		assertThat(inspector.requestRelease("order", Duration.ofSeconds(-1)).join()).isTrue();
		assertThat(this.requests).extracting(ReleaseRequest::deadline)
			.containsExactly(LockRequest.UNLIMITED_WAIT, Duration.ZERO);
	}

	@Test
	void holderThatDoesNotListenIsNotDisturbed() {
		LockHandle lock = acquire(ORDER);
		assertThat(request()).as("its instance received it").isTrue();
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void holderOfAnotherNameIsNotAsked() {
		LockHandle other = acquire(LockRequest.of("other"));
		other.onReleaseRequested(this.requests::add);
		assertThat(request()).isFalse();
		acquire(ORDER);
		request();
		assertThat(this.requests).isEmpty();
	}

	@Test
	void requestThatNoNodeConfirmsEndsAfterOneOperationTimeout() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<Boolean> sent = new LockInspector(cluster.engine).requestRelease("order", DEADLINE);
		cluster.time.advance(Duration.ofMillis(99));
		assertThat(sent).isNotDone();
		cluster.time.advance(Duration.ofMillis(1));
		assertThat(sent).isCompletedWithValue(false);
	}

	@Test
	void closedHandleIsNotAsked() {
		LockHandle lock = acquire(ORDER);
		lock.onReleaseRequested(this.requests::add);
		lock.closeAsync();
		assertThat(request()).isFalse();
		acquire(ORDER);
		request();
		assertThat(this.requests).isEmpty();
	}

	@Test
	void readersAndHoldersOfPermitsAreAsked() {
		LockHandle reader = acquire(ORDER.shared());
		reader.onReleaseRequested(this.requests::add);
		assertThat(request()).isTrue();
		reader.closeAsync();
		LockHandle permit = acquire(ORDER.permits(2));
		permit.onReleaseRequested(this.requests::add);
		assertThat(request()).isTrue();
		assertThat(this.requests).hasSize(2);
	}

	@Test
	void lockThatIsWantedIsNotHandedOver() {
		LockHandle lock = acquire(ORDER);
		lock.onReleaseRequested(this.requests::add);
		long first = lock.fencingToken();
		CompletableFuture<LockHandle> next = acquire(ORDER, Duration.ofSeconds(5));
		request();
		lock.closeAsync();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(next).isCompleted();
		// A hand-over would have taken the next token of the range (R9).
		assertThat(next.join().fencingToken()).isGreaterThan(first + 1);
	}

	@Test
	void engineThatWasStartedAgainListensAsAnotherInstance() {
		acquire(ORDER).onReleaseRequested(this.requests::add);
		this.engine.stop();
		this.engine.start();
		acquire(ORDER).onReleaseRequested(this.requests::add);
		assertThat(request()).isTrue();
		assertThat(this.requests).hasSize(1);
	}

}
