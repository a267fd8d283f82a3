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

package io.quorlock.actuate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import io.quorlock.LockHandle;
import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.ReleaseRequest;
import io.quorlock.actuate.LockDescriptor.HolderDescriptor;
import io.quorlock.actuate.LockDescriptor.WaiterDescriptor;
import io.quorlock.actuate.LocksDescriptor.CountsDescriptor;
import io.quorlock.actuate.LocksDescriptor.FencedName;
import io.quorlock.actuate.LocksDescriptor.HeldLockDescriptor;
import io.quorlock.actuate.LocksDescriptor.NodeDescriptor;
import io.quorlock.actuate.LocksDescriptor.RetainedLeaseDescriptor;
import io.quorlock.actuate.LocksEndpoint.ForcedReleaseDescriptor;
import io.quorlock.actuate.LocksEndpoint.ReleaseRequestDescriptor;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.ObservedEngine;
import io.quorlock.store.NodeReport;
import io.quorlock.store.NodeState;
import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LocksEndpoint}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LocksEndpointTests {

	private final ObservedEngine observed = new ObservedEngine(3);

	private final NodeStatistics statistics = new NodeStatistics();

	private final List<Object> published = new ArrayList<>();

	private LockTemplate template;

	private final List<LockHandle> held = Collections.synchronizedList(new ArrayList<>());

	@BeforeEach
	void start() {
		this.observed.nodeObservers.add(this.statistics);
		this.template = this.observed.start().template();
	}

	@AfterEach
	void stop() {
		this.observed.close();
	}

	private LocksEndpoint endpoint(Show show, SanitizingFunction... functions) {
		LockDescriptors descriptors = new LockDescriptors(this.statistics, List.of(functions), show, Set.of());
		return new LocksEndpoint(this.observed.inspector(), descriptors, this.published::add);
	}

	@Test
	void showsWhatIsHeldAndWaitedFor() {
		CompletableFuture<LockHandle> next;
		try (LockHandle lock = this.template.acquire(LockRequest.of("order").key(42))) {
			next = this.template.acquireAsync(LockRequest.of("order").key(42)).toCompletableFuture();
			LocksDescriptor locks = endpoint(Show.ALWAYS).locks(SecurityContext.NONE, null);
			HeldLockDescriptor held = locks.held().get(0);
			assertThat(held.locks()).containsExactly(new FencedName("order:42", lock.fencingToken()));
			assertThat(held.baseName()).isEqualTo("order");
			assertThat(held.owner()).startsWith(locks.instance() + ":");
			assertThat(held.thread()).isEqualTo(Thread.currentThread().getName());
			assertThat(locks.waiting()).singleElement()
				.satisfies((wait) -> assertThat(wait.names()).containsExactly("order:42"));
		}
		next.join().close();
		LocksDescriptor after = endpoint(Show.ALWAYS).locks(SecurityContext.NONE, null);
		assertThat(after.held()).isEmpty();
		assertThat(after.waiting()).isEmpty();
	}

	@Test
	void showsOfHowManyPermitsAndWhetherTheOrderIsKept() {
		LockRequest request = LockRequest.of("export").permits(2).fair();
		try (LockHandle lock = this.template.acquire(request); LockHandle other = this.template.acquire(request)) {
			CompletableFuture<LockHandle> next = this.template.acquireAsync(request).toCompletableFuture();
			LocksDescriptor locks = endpoint(Show.ALWAYS).locks(SecurityContext.NONE, null);
			assertThat(locks.held()).extracting(HeldLockDescriptor::permit)
				.containsExactlyInAnyOrder(lock.permit(), other.permit());
			assertThat(locks.held()).extracting(HeldLockDescriptor::permits).containsOnly(2);
			assertThat(locks.held()).extracting(HeldLockDescriptor::fair).containsOnly(true);
			assertThat(locks.waiting()).singleElement().satisfies((wait) -> {
				assertThat(wait.permits()).isEqualTo(2);
				assertThat(wait.fair()).isTrue();
			});
			next.cancel(false);
		}
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			assertThat(endpoint(Show.ALWAYS).locks(SecurityContext.NONE, null).held()).singleElement()
				.satisfies((held) -> {
					assertThat(held.permits()).isNull();
					assertThat(held.fair()).isNull();
				});
		}
	}

	@Test
	void showsLeasesThatAreKeptAlthoughNobodyUsesThemUntilTheyAreAskedFor() {
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		assertThat(endpoint.locks(SecurityContext.NONE, null).retained()).isNull();
		this.template.acquire(LockRequest.of("account").key("alice").retainTime(Duration.ofHours(1))).close();
		LocksDescriptor locks = endpoint.locks(SecurityContext.NONE, null);
		assertThat(locks.held()).isEmpty();
		assertThat(locks.retained()).singleElement().satisfies((lease) -> {
			assertThat(lease.name()).isEqualTo("account:alice");
			assertThat(lease.baseName()).isEqualTo("account");
			assertThat(lease.owner()).startsWith(locks.instance() + ":");
			assertThat(lease.remaining()).isPositive();
			assertThat(lease.nodes()).isNotEmpty();
		});
		assertThat(endpoint(Show.NEVER).locks(SecurityContext.NONE, null).toString()).doesNotContain("alice");
		assertThat(endpoint.requestRelease(null, "account:alice").sent()).isTrue();
		Awaitility.await().until(() -> endpoint.locks(SecurityContext.NONE, null).retained() == null);
		assertThat(endpoint.lock("account:alice").state()).isEqualTo("free");
	}

	@Test
	void aLostLockIsNoLongerHeld() {
		LockHandle lock = this.template.acquire(LockRequest.of("order").leaseTime(Duration.ofMillis(50)));
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		Awaitility.await().until(() -> !lock.isHeld());
		assertThat(endpoint.locks(SecurityContext.NONE, null).held()).isEmpty();
	}

	@Test
	void showsNodesWithLatenciesAndErrors() {
		this.template.acquire(LockRequest.of("order")).close();
		this.observed.nodes.get(0).cutOff();
		this.observed.nodes.get(1).quarantine(Duration.ofSeconds(30));
		this.template.tryAcquire(LockRequest.of("order")).ifPresent(LockHandle::close);
		List<NodeDescriptor> nodes = endpoint(Show.ALWAYS).locks(SecurityContext.NONE, null).nodes();
		assertThat(nodes).extracting(NodeDescriptor::state).containsExactly("down", "quarantined", "voting");
		assertThat(nodes.get(0).lastError()).isNotNull()
			.extracting(NodeStatistics.LastError::error)
			.isEqualTo("connection refused");
		assertThat(nodes.get(1).votesInSeconds()).isEqualTo(30);
		assertThat(nodes.get(2).latencyMicros()).isNotNull().satisfies((latency) -> {
			assertThat(latency.samples()).isPositive();
			assertThat(latency.max()).isGreaterThanOrEqualTo(latency.p99());
			assertThat(latency.p99()).isGreaterThanOrEqualTo(latency.p50());
		});
	}

	@Test
	void reportsTheHolderOfAName() {
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		assertThat(endpoint.lock("order:42").state()).isEqualTo("free");
		try (LockHandle lock = this.template.acquire(LockRequest.of("order").key(42))) {
			LockDescriptor held = endpoint.lock("order:42");
			assertThat(held.state()).isEqualTo("held");
			assertThat(held.owner()).startsWith(this.observed.engine().settings().instanceId());
			assertThat(held.nodes()).hasSize(3);
			this.observed.nodes.get(0).silence();
			this.observed.nodes.get(1).silence();
			assertThat(endpoint.lock("order:42").state()).isEqualTo("unavailable");
		}
	}

	@Test
	void keysOfNamesThatWereGivenAsOneStringAreHidden() {
		LockHandle lock = this.template.acquire(LockRequest.of("account:alice"));
		CompletableFuture<LockHandle> next = this.template.acquireAsync(LockRequest.of("account:alice"))
			.toCompletableFuture();
		LocksDescriptor locks = endpoint(Show.NEVER).locks(SecurityContext.NONE, null);
		assertThat(locks.toString()).doesNotContain("alice").contains("account:");
		LocksDescriptor shown = endpoint(Show.ALWAYS).locks(SecurityContext.NONE, null);
		assertThat(shown.held()).extracting(HeldLockDescriptor::baseName).containsExactly("account:alice");
		LocksDescriptor sanitized = endpoint(Show.ALWAYS, SanitizableData::withSanitizedValue)
			.locks(SecurityContext.NONE, null);
		assertThat(sanitized.toString()).doesNotContain("alice").contains("account:");
		lock.close();
		next.join().close();
	}

	@Test
	void keyOfALeaseThatIsKeptIsHiddenAlsoWhereItWasGivenAsOneString() {
		this.template.acquire(LockRequest.of("account:alice").retainTime(Duration.ofHours(1))).close();
		for (LocksEndpoint hiding : List.of(endpoint(Show.NEVER),
				endpoint(Show.ALWAYS, SanitizableData::withSanitizedValue))) {
			LocksDescriptor locks = hiding.locks(SecurityContext.NONE, null);
			assertThat(locks.retained()).hasSize(1);
			assertThat(locks.toString()).doesNotContain("alice").contains("account:");
		}
	}

	@Test
	void nothingIsReleasedWhereNothingWasHeld() {
		assertThat(endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, null, "order:42").released()).isFalse();
		this.template.acquire(LockRequest.of("order:42"));
		assertThat(endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, null, "order:42").released()).isTrue();
	}

	@Test
	void nameThatCoolsDownIsNotFreeAndCanBeReleasedByForce() {
		this.template.acquire(LockRequest.of("tick").holdAtLeast(Duration.ofHours(1))).close();
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		LockDescriptor coolingDown = endpoint.lock("tick");
		assertThat(coolingDown.state()).isEqualTo("held");
		assertThat(coolingDown.owner()).isNull();
		assertThat(coolingDown.nodes()).allSatisfy((node) -> {
			assertThat(node.remaining()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
			assertThat(node.holders()).singleElement().satisfies((holder) -> {
				assertThat(holder.owner()).isNull();
				assertThat(holder.mode()).isEqualTo("exclusive");
			});
		});
		assertThat(endpoint.forceRelease(SecurityContext.NONE, null, "tick").released()).isTrue();
		assertThat(endpoint.lock("tick").state()).isEqualTo("free");
	}

	@Test
	void asksTheHolderToReleaseTheLock() throws InterruptedException {
		BlockingQueue<ReleaseRequest> requests = new LinkedBlockingQueue<>();
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		assertThat(endpoint.requestRelease(null, "nobody").sent()).isFalse();
		try (LockHandle lock = this.template.acquire(LockRequest.of("reports/daily"))) {
			assertThat(endpoint.requestRelease(null, "reports", "daily").sent()).as("its instance received it")
				.isTrue();
			assertThat(requests).isEmpty();
			lock.onReleaseRequested(requests::add);
			assertThat(endpoint.requestRelease(Duration.ofSeconds(3), "reports", "daily"))
				.isEqualTo(new ReleaseRequestDescriptor("reports/daily", true));
			assertThat(requests.poll(20, TimeUnit.SECONDS))
				.isEqualTo(new ReleaseRequest(lock.names(), Duration.ofSeconds(3)));
			endpoint.requestRelease(null, "reports", "daily");
			assertThat(requests.poll(20, TimeUnit.SECONDS))
				.isEqualTo(new ReleaseRequest(lock.names(), Duration.ofSeconds(10)));
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/actuator/locks//a", "/actuator/locks/a;b=c", "/actuator/locks/a/", "/actuator/locks/a//b" })
	void ambiguousPathReleasesNothingAndAsksNobody(String path) {
		try (LockHandle lock = this.template.acquire(LockRequest.of("a"))) {
			lock.onReleaseRequested((request) -> lock.close());
			RequestContextHolder
				.setRequestAttributes(new ServletRequestAttributes(new MockHttpServletRequest("DELETE", path)));
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, null, "a"));
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint(Show.ALWAYS).requestRelease(null, "a"));
			assertThat(endpoint(Show.ALWAYS).lock("a").state()).isEqualTo("held");
		}
		finally {
			RequestContextHolder.resetRequestAttributes();
		}
	}

	@Test
	void releasesOnePermitByForce() {
		LockRequest permit = LockRequest.of("exports").permits(2);
		LockHandle one = this.template.acquire(permit);
		LockHandle other = this.template.acquire(permit);
		assertThat(endpoint(Show.ALWAYS).lock("exports").nodes().get(0).holders())
			.extracting(LockDescriptor.HolderDescriptor::permit)
			.containsExactlyInAnyOrder(1, 2);
		assertThat(endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, one.permit(), "exports").released())
			.isTrue();
		assertThat(one.isHeld()).isFalse();
		assertThat(other.isHeld()).isTrue();
		assertThat(endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, one.permit(), "exports").released())
			.isFalse();
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, 0, "exports"));
		other.close();
	}

	@Test
	void firstPermitIsReleasedByForceLikeTheOthers() {
		LockRequest permit = LockRequest.of("exports").permits(2);
		LockHandle one = this.template.acquire(permit);
		LockHandle other = this.template.acquire(permit);
		LockHandle first = (one.permit() == 1) ? one : other;
		assertThat(endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, 1, "exports").released()).isTrue();
		assertThat(first.isHeld()).isFalse();
		assertThat(List.of(one, other)).filteredOn(LockHandle::isHeld).hasSize(1);
		ForcedReleaseDescriptor again = endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, 1, "exports");
		assertThat(again.released()).as("others hold the second").isFalse();
		assertThat(again.previousOwner()).isNull();
		one.close();
		other.close();
	}

	@Test
	void showsReadersOfSeveralInstancesWithOwnersAndTimeLeft() {
		LockRequest read = LockRequest.of("catalog").shared();
		LockEngine neighbour = this.observed.startNeighbour();
		try (LockHandle one = this.template.acquire(read);
				LockHandle other = new DefaultLockTemplate(neighbour).acquire(read.leaseTime(Duration.ofSeconds(10)))) {
			LockDescriptor lock = endpoint(Show.ALWAYS).lock("catalog");
			assertThat(lock.state()).isEqualTo("held");
			assertThat(lock.nodes()).hasSize(3)
				.allSatisfy((node) -> assertThat(node.holders()).satisfiesExactlyInAnyOrder(
						(holder) -> assertReader(holder, this.observed.engine(), 11, 30),
						(holder) -> assertReader(holder, neighbour, 0, 10)));
		}
		finally {
			neighbour.stop();
		}
	}

	private static void assertReader(HolderDescriptor holder, LockEngine engine, int minSeconds, int maxSeconds) {
		assertThat(holder.owner()).startsWith(engine.settings().instanceId() + ":");
		assertThat(holder.mode()).isEqualTo("shared");
		assertThat(holder.permit()).isNull();
		assertThat(holder.remaining()).isBetween(Duration.ofSeconds(minSeconds), Duration.ofSeconds(maxSeconds));
	}

	@Test
	void showsWhoWaitsAtWhichPositionAndForHowLong() {
		LockRequest request = LockRequest.of("report").fair().waitTime(Duration.ofSeconds(60));
		LockEngine second = this.observed.startNeighbour();
		LockEngine third = this.observed.startNeighbour();
		LockHandle holder = this.template.acquire(LockRequest.of("report"));
		try {
			new DefaultLockTemplate(second).acquireAsync(request);
			awaitQueue(1);
			new DefaultLockTemplate(third).acquireAsync(request.shared());
			awaitQueue(2);
			assertThat(endpoint(Show.ALWAYS).lock("report").nodes()).allSatisfy((node) -> {
				assertThat(node.queue()).extracting(WaiterDescriptor::position).containsExactly(1, 2);
				assertThat(node.queue()).extracting(WaiterDescriptor::mode).containsExactly("exclusive", "shared");
				assertThat(node.queue()).satisfiesExactly((waiter) -> assertWaits(waiter, second),
						(waiter) -> assertWaits(waiter, third));
				assertThat(node.queue())
					.isSortedAccordingTo(Comparator.comparing(WaiterDescriptor::waitedFor).reversed());
			});
		}
		finally {
			second.stop();
			third.stop();
			holder.close();
		}
	}

	private void awaitQueue(int waiters) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> endpoint(Show.ALWAYS).lock("report")
				.nodes()
				.stream()
				.allMatch((node) -> node.queue() != null && node.queue().size() == waiters));
	}

	private static void assertWaits(WaiterDescriptor waiter, LockEngine engine) {
		assertThat(waiter.owner()).startsWith(engine.settings().instanceId());
		assertThat(waiter.waitedFor()).isBetween(Duration.ZERO, Duration.ofSeconds(60));
	}

	@Test
	void releasesAllPermitsByForce() {
		LockRequest permit = LockRequest.of("exports").permits(2);
		List<LockHandle> held = List.of(this.template.acquire(permit), this.template.acquire(permit));
		ForcedReleaseDescriptor result = endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, null, "exports");
		assertThat(result.released()).isTrue();
		assertThat(held).noneMatch(LockHandle::isHeld);
		assertThat(endpoint(Show.ALWAYS).lock("exports").state()).isEqualTo("free");
	}

	@Test
	void releasesAllReadersByForce() {
		LockRequest read = LockRequest.of("catalog").shared();
		LockEngine neighbour = this.observed.startNeighbour();
		try {
			LockHandle one = this.template.acquire(read);
			new DefaultLockTemplate(neighbour).acquire(read);
			ForcedReleaseDescriptor result = endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, null, "catalog");
			assertThat(result.released()).isTrue();
			assertThat(one.isHeld()).isFalse();
			assertThat(endpoint(Show.ALWAYS).lock("catalog").state()).isEqualTo("free");
			this.template.acquire(LockRequest.of("catalog")).close();
		}
		finally {
			neighbour.stop();
		}
	}

	@Test
	void takesNamesWithSlashes() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("reports/daily"))) {
			assertThat(endpoint(Show.ALWAYS).lock("reports", "daily").state()).isEqualTo("held");
		}
	}

	@Test
	void refusesWhatIsNoName() {
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> endpoint(Show.ALWAYS).lock(""));
		assertThatExceptionOfType(InvalidEndpointRequestException.class)
			.isThrownBy(() -> endpoint(Show.ALWAYS).requestRelease(null, ""));
	}

	@Test
	void forcedReleaseIsAudited(CapturedOutput output) {
		LockHandle lock = this.template.acquire(LockRequest.of("order\n").key(42));
		ForcedReleaseDescriptor result = endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, null, "order\n:42");
		assertThat(result.released()).isTrue();
		assertThat(result.failures()).isEmpty();
		assertThat(result.previousOwner()).startsWith(this.observed.engine().settings().instanceId());
		assertThat(lock.isHeld()).isFalse();
		assertThat(output).contains("Audit: 'anonymous' released lock 'order\\u000a:42' by force on 3 of 3 nodes; "
				+ "it was held by '" + result.previousOwner() + "'");
		assertThat(this.published).singleElement().isInstanceOfSatisfying(AuditApplicationEvent.class, (event) -> {
			AuditEvent audit = event.getAuditEvent();
			assertThat(audit.getType()).isEqualTo("LOCK_FORCED_RELEASE");
			assertThat(audit.getPrincipal()).isEqualTo("anonymous");
			assertThat(audit.getData()).containsOnly(entry("lock", "order\n:42"), entry("released", true),
					entry("previousOwner", result.previousOwner()));
		});
	}

	@Test
	void auditNamesWhoReleasedWhatNobodyHeld(CapturedOutput output) {
		SecurityContext context = Mockito.mock(SecurityContext.class);
		BDDMockito.given(context.getPrincipal()).willReturn(() -> "operator");
		this.observed.nodes.get(1).cutOff();
		endpoint(Show.ALWAYS).forceRelease(context, null, "order");
		assertThat(output).contains("Audit: 'operator' tried to release lock 'order' by force on 2 of 3 nodes; "
				+ "it was held by no majority of them");
		assertThat(this.published).singleElement()
			.isInstanceOfSatisfying(AuditApplicationEvent.class,
					(event) -> assertThat(event.getAuditEvent().getPrincipal()).isEqualTo("operator"));
	}

	@Test
	void namesAreSanitised() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("customer").key("jane@example.org"))) {
			assertThat(shownName(endpoint(Show.NEVER))).isEqualTo("******");
			assertThat(shownName(endpoint(Show.WHEN_AUTHORIZED))).isEqualTo("******");
			assertThat(shownName(endpoint(Show.ALWAYS,
					(data) -> LockDescriptors.NAME_KEY.equals(data.getKey()) ? data.withValue("customer:#") : data)))
				.isEqualTo("customer:#");
			assertThat(shownName(endpoint(Show.ALWAYS, SanitizableData::withSanitizedValue))).isEqualTo("******");
		}
	}

	private static String shownName(LocksEndpoint endpoint) {
		HeldLockDescriptor held = endpoint.locks(SecurityContext.NONE, null).held().get(0);
		assertThat(held.baseName()).isEqualTo("customer");
		return held.locks().get(0).name();
	}

	/** A majority may still say that it is held. */
	@Test
	void forcedReleaseThatNoMajorityConfirmsReleasedNothing() {
		this.template.acquire(LockRequest.of("order"));
		this.observed.nodes.get(0).silence();
		this.observed.nodes.get(1).cutOff();
		ForcedReleaseDescriptor result = endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, null, "order");
		assertThat(result.released()).isFalse();
		assertThat(result.failures()).extracting(ForcedReleaseDescriptor.FailureDescriptor::error)
			.containsExactly("no reply within 2000 ms", "connection refused");
	}

	@Test
	void forcedReleaseThatABareMajorityConfirmsReleasedTheLock() {
		this.template.acquire(LockRequest.of("order"));
		this.observed.nodes.get(0).cutOff();
		ForcedReleaseDescriptor result = endpoint(Show.ALWAYS).forceRelease(SecurityContext.NONE, null, "order");
		assertThat(result.failures()).hasSize(1);
		assertThat(result.released()).isTrue();
	}

	@Test
	void latenciesAreThoseThatAsManyRepliesStayBelow() {
		for (int millis = 1; millis <= 100; millis++) {
			this.statistics.onReply("n", "acquire", ReplyOutcome.OK, null, millis * 1_000_000L);
		}
		assertThat(this.statistics.latency("n"))
			.isEqualTo(new NodeStatistics.Latency(100, 51_000, 96_000, 100_000, 100_000));
	}

	@Test
	void refusalsSayWhatIsWrong() {
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		assertRefused(() -> endpoint.forceRelease(SecurityContext.NONE, 0, "order"), "Permits are numbered from 1",
				"Not the number of a permit");
		LockInspector inspector = Mockito.mock(LockInspector.class);
		LocksEndpoint refusing = new LocksEndpoint(inspector,
				new LockDescriptors(this.statistics, List.of(), Show.ALWAYS, Set.of()), this.published::add);
		BDDMockito.given(inspector.inspect("a b")).willThrow(new LockKeyException("no key"));
		assertRefused(() -> refusing.lock("a b"), "no key", "Not a name of a lock");
		BDDMockito.given(inspector.requestRelease("a b", Duration.ofSeconds(10)))
			.willThrow(new LockKeyException("no key"));
		assertRefused(() -> refusing.requestRelease(null, "a b"), "no key", "Not a name of a lock");
		BDDMockito.given(inspector.requestRelease("order", Duration.ofSeconds(10)))
			.willThrow(new UnsupportedOperationException("no requests"));
		assertRefused(() -> refusing.requestRelease(null, "order"), "no requests", "Not supported by the backend");
	}

	private static void assertRefused(ThrowingCallable call, String message, String reason) {
		assertThatExceptionOfType(InvalidEndpointRequestException.class).isThrownBy(call)
			.withMessage(message)
			.extracting(InvalidEndpointRequestException::getReason)
			.isEqualTo(reason);
	}

	@Test
	void latencyThatIsTooLongToBeCountedIsTheLongest() {
		this.statistics.onReply("n", "acquire", ReplyOutcome.OK, null, Long.MAX_VALUE);
		assertThat(this.statistics.latency("n")).extracting("max").isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void latenciesAreThoseOfTheLatestReplies() {
		for (int i = 0; i < 2_048; i++) {
			this.statistics.onReply("n", "acquire", ReplyOutcome.OK, null, (i < 1_024) ? 9_000_000 : 5_000_000);
		}
		this.statistics.onReply("n", "acquire", ReplyOutcome.LOST, "CONNECTIONLOSS", 60_000_000_000L);
		assertThat(this.statistics.latency("n"))
			.isEqualTo(new NodeStatistics.Latency(1_024, 5_000, 5_000, 5_000, 5_000));
	}

	/** The others know nothing of it. */
	@Test
	void onlyTheGroupOfANameSaysWhetherItIsFree() {
		StoreStatus one = new StoreStatus(true, 1,
				List.of(new NodeState("a1", true, "voting", "", Duration.ZERO, null, null, null)));
		StoreStatus other = new StoreStatus(true, 1,
				List.of(new NodeState("b1", true, "voting", "", Duration.ZERO, null, null, null)));
		LockInspector inspector = mock(LockInspector.class);
		given(inspector.inspect("order")).willReturn(
				CompletableFuture.completedFuture(List.of(new NodeReport("a1", true, List.of(), List.of(), 0, null))));
		given(inspector.status("order")).willReturn(one);
		given(inspector.status()).willReturn(new StoreStatus(true, 2, List.of(), Map.of("a", one, "b", other)));
		LocksEndpoint endpoint = new LocksEndpoint(inspector,
				new LockDescriptors(this.statistics, List.of(), Show.ALWAYS, Set.of()), this.published::add);
		assertThat(endpoint.lock("order").state()).isEqualTo("free");
	}

	private void hold(String name, int count) {
		for (int key = 0; key < count; key++) {
			this.held.add(this.template.acquire(LockRequest.of(name).key(key)));
		}
	}

	private static List<String> names(LocksDescriptor page) {
		return page.held().stream().map((hold) -> hold.locks().get(0).name()).toList();
	}

	@Test
	void firstThousandAreListedByNameAndAllAreCounted() {
		hold("order", 1_003);
		LocksDescriptor locks = endpoint(Show.ALWAYS).locks(SecurityContext.NONE, null);
		assertThat(locks.counts()).isEqualTo(new CountsDescriptor(1_003, 0, 0));
		assertThat(names(locks)).hasSize(1_000).isSorted().startsWith("order:0", "order:1", "order:10");
	}

	@Test
	void requestsThatWaitAndLeasesThatNobodyUsesAreListedByName() {
		this.held.add(this.template.acquire(LockRequest.of("order").key(1)));
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
		for (int i = 0; i < 25; i++) {
			waiting.add(this.template.acquireAsync(LockRequest.of("order").key(1).waitTime(Duration.ofMinutes(5)))
				.toCompletableFuture());
			this.template.acquire(LockRequest.of("account").key(i).retainTime(Duration.ofHours(1))).close();
		}
		LocksDescriptor locks = endpoint(Show.ALWAYS).locks(SecurityContext.NONE, null);
		assertThat(locks.counts()).isEqualTo(new CountsDescriptor(1, 25, 25));
		assertThat(locks.waiting()).hasSize(25);
		assertThat(locks.retained()).extracting(RetainedLeaseDescriptor::name).hasSize(25).isSorted();
		waiting.forEach((request) -> request.cancel(false));
	}

	@Test
	void onlyNamesThatBeginWithTheFilterAreShownAndCounted() {
		hold("order", 12);
		hold("stock", 3);
		LocksEndpoint endpoint = endpoint(Show.ALWAYS);
		LocksDescriptor stock = endpoint.locks(SecurityContext.NONE, "stock");
		assertThat(names(stock)).containsExactly("stock:0", "stock:1", "stock:2");
		assertThat(stock.counts().held()).isEqualTo(3);
		assertThat(names(endpoint.locks(SecurityContext.NONE, "order:1"))).containsExactly("order:1", "order:10",
				"order:11");
		assertThat(names(endpoint.locks(SecurityContext.NONE, "tock"))).isEmpty();
	}

	@Test
	void filterFindsNothingByWhatIsHidden() {
		this.held.add(this.template.acquire(LockRequest.of("account").key("alice")));
		this.held.add(this.template.acquire(LockRequest.of("account:bob")));
		for (LocksEndpoint endpoint : List.of(endpoint(Show.NEVER),
				endpoint(Show.ALWAYS, SanitizableData::withSanitizedValue))) {
			assertThat(endpoint.locks(SecurityContext.NONE, "account:a").counts().held()).isZero();
			assertThat(endpoint.locks(SecurityContext.NONE, "account:b").counts().held()).isZero();
			assertThat(endpoint.locks(SecurityContext.NONE, "account").counts().held()).isEqualTo(2);
		}
	}

}
