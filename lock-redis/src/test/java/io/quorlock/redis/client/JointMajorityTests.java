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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.Settings;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.TestEngines;
import io.quorlock.engine.TestSettings;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.membership.OtherLists.Use;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.JointRenewal;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.NodeAddress;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TestClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Instances with different lists of nodes: which lists differ, what a mismatch does, and
 * commands that need a majority of both lists.
 */
@ExtendWith(LogCaptureExtension.class)
class JointMajorityTests {

	private final SystemClock clock = new SystemClock();

	private final TimerThread timer = new TimerThread("test-timer");

	private final EmbeddedRedis servers = EmbeddedRedis.start(6);

	private final List<LockEngine> engines = new ArrayList<>();

	private static final int SIZE = JointRenewal.MAX_SIZE;

	private static EmbeddedRedisNode redis;

	private final List<Attempt> attempts = IntStream.range(0, SIZE).mapToObj((i) -> new Attempt("app:1:" + i)).toList();

	private final List<CompletableFuture<NodeReply>> replies = new ArrayList<>();

	private static final Use OLD = new Use("x:1,y:1,z:1", 50, "old:1:1#1");

	private static final Use NEW = new Use("x:1,y:1,w:1", 5, "new:1:1#1");

	private final Settings<RedisNodeOptions> options = TestOptions.with(new TestClock());

	@AfterEach
	void stop() {
		this.engines.forEach(LockEngine::stop);
		this.timer.close();
		this.servers.close();
	}

	@Test
	@Tag("long")
	void twoListsThatDifferInOneNodeNeverHaveTwoHolders() throws InterruptedException {
		checkNoOverlap(uris(0, 1, 2), uris(0, 1, 3));
	}

	@Test
	@Tag("long")
	void threeNodesAndFiveExcludeEachOther() throws InterruptedException {
		checkNoOverlap(uris(0, 1, 2), uris(0, 1, 2, 3, 4));
	}

	/**
	 * As localhost and 127.0.0.1, or a host that was renamed, in a rolling deployment.
	 */
	@Test
	void sameServersUnderOtherNamesExcludeEachOtherAndStayAvailable(CapturedLog output) throws InterruptedException {
		checkNoOverlap(uris(0, 1, 2), otherNames(0, 1, 2));
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(output).contains(
					"uses the same servers under other names, which excludes as one list does: " + list(0, 1, 2)));
		assertThat(output).doesNotContain("another instance uses a different node list");
	}

	@Test
	void aServerUnderAnotherNameIsTakenForNoOther() throws InterruptedException {
		checkNoOverlap(uris(0, 1, 2), otherNames(0, 1, 3));
	}

	/**
	 * The first instance has not looked at the record since: it does so every ten
	 * seconds.
	 */
	@Test
	void listsWithoutAJointMajorityAreNamedWithTheirUsers() {
		LockTemplate first = start("shop@a:1", uris(0, 1, 2));
		try (LockHandle held = first.acquire(LockRequest.of("n"))) {
			LockTemplate second = start("shop@b:2", uris(2, 3, 4));
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> second.acquire(LockRequest.of("n").waitTime(Duration.ZERO)))
				.withMessageContaining("shop@a:1 uses " + list(0, 1, 2))
				.withMessageContaining("shop@b:2 uses " + list(2, 3, 4));
			assertThat(held.isHeld()).isTrue();
		}
	}

	private void checkNoOverlap(List<String> one, List<String> other) throws InterruptedException {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger overlaps = new AtomicInteger();
		AtomicBoolean over = new AtomicBoolean();
		List<AtomicInteger> grants = List.of(new AtomicInteger(), new AtomicInteger());
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			LockTemplate template = start("shop@h:" + i, (i % 2 == 0) ? one : other);
			AtomicInteger count = grants.get(i % 2);
			Thread thread = new Thread(() -> {
				while (!over.get()) {
					try (LockHandle held = template.acquire(LockRequest.of("n").waitTime(Duration.ofMillis(500)))) {
						overlaps.addAndGet((inside.incrementAndGet() > 1) ? 1 : 0);
						count.incrementAndGet();
						LockSupport.parkNanos(2_000_000);
						inside.decrementAndGet();
					}
					catch (LockException ex) {
						// The next round tries again.
					}
				}
			});
			thread.start();
			threads.add(thread);
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> grants.stream().allMatch((count) -> count.get() > 300));
		over.set(true);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(overlaps).hasValue(0);
	}

	private String list(int... servers) {
		return uris(servers).stream()
			.map((uri) -> NodeAddress.parse(uri).name())
			.sorted()
			.collect(Collectors.joining(","));
	}

	private List<String> uris(int... servers) {
		return Arrays.stream(servers).mapToObj(this.servers.uris()::get).toList();
	}

	private List<String> otherNames(int... servers) {
		return uris(servers).stream().map((uri) -> uri.replace("127.0.0.1", "localhost")).toList();
	}

	private LockTemplate start(String instance, List<String> uris) {
		RedisNodeOptions options = TestOptions.with(this.clock)
			.set(RedisNodeOptions::instanceId, instance)
			.set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(1))
			.set(RedisNodeOptions::failOnMismatch, true)
			.set(RedisNodeOptions::trustFirstSeen, true)
			.build();
		LockEngine engine = TestEngines.create(TestSettings.patient(instance),
				RedisNodes.create(uris.stream().map(NodeAddress::parse).toList(), options).nodes(), this.clock,
				this.timer, Runnable::run, List.of(), List.of());
		this.engines.add(engine);
		engine.start();
		return new DefaultLockTemplate(engine);
	}

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedisNode.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@BeforeEach
	void reset() {
		redis.execute("FLUSHALL");
	}

	private void holdAll() {
		for (int i = 0; i < SIZE; i++) {
			redis.execute("SET", lock(i), this.attempts.get(i).owner(), "PX", "20000");
			redis.execute("SET", fence(i), "5", "PX", "100000");
		}
	}

	private static String lock(int i) {
		return "lock:{n" + i + "}";
	}

	private static String fence(int i) {
		return lock(i) + ":fence";
	}

	private void renew(NodeProbe probe, boolean prolong) {
		List<JointRenewal.Member> members = new ArrayList<>();
		for (int i = 0; i < SIZE; i++) {
			CompletableFuture<NodeReply> replied = new CompletableFuture<>();
			this.replies.add(replied);
			CommandHeader header = new CommandHeader(LockTarget.exclusive(List.of("n" + i)), this.attempts.get(i));
			members.add(new JointRenewal.Member(
					new NodeCommand.Renew(header, 30_000, false, new long[] { 7 }, 200_000, prolong, 0),
					(slot, reply) -> assertThat(replied.complete(reply)).isTrue()));
		}
		probe.node().submit(new JointRenewal(members), 0);
	}

	private NodeReply reply(int i) {
		return this.replies.get(i).orTimeout(30, TimeUnit.SECONDS).join();
	}

	private static long left(String key) {
		return Long.parseLong(String.valueOf(redis.execute("PTTL", key)));
	}

	@Test
	void eachIsRenewedPutBackOrRefusedByItself() {
		holdAll();
		redis.execute("SET", lock(3), "other:1:1", "PX", "15000");
		redis.execute("DEL", lock(4), fence(4));
		redis.execute("SET", fence(5), "garbage");
		redis.execute("DEL", fence(6));
		redis.execute("LPUSH", fence(7) + "x", "y");
		redis.execute("RENAME", fence(7) + "x", fence(7));
		redis.execute("DEL", lock(8));
		redis.execute("LPUSH", lock(8), "x");
		redis.execute("PEXPIRE", lock(9), "50000");
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			renew(probe, true);
			assertThat(reply(3)).isInstanceOfSatisfying(NodeReply.Refused.class, (refused) -> {
				assertThat(refused.blockers()).containsExactly(new NodeReply.Blocker.Owner("other:1:1"));
				assertThat(refused.remainingMillis()).isBetween(1L, 15_000L);
			});
			assertThat(reply(5)).isInstanceOfSatisfying(NodeReply.Failed.class,
					(failed) -> assertThat(failed.message()).contains(fence(5)));
			assertThat(reply(7)).isInstanceOf(NodeReply.Failed.class);
			assertThat(reply(8)).isInstanceOfSatisfying(NodeReply.Failed.class,
					(failed) -> assertThat(failed.message()).contains("another type", lock(8)));
			for (int i = 0; i < SIZE; i++) {
				boolean fails = i == 3 || i == 5 || i == 7 || i == 8;
				assertThat(reply(i) instanceof NodeReply.Done).as("%d", i).isEqualTo(!fails);
				assertThat(left(lock(i)) > 20_000).as("%d", i).isEqualTo(!fails);
				if (!fails) {
					assertThat(redis.execute("GET", fence(i))).as("%d", i).isEqualTo("7");
					assertThat(left(fence(i))).as("%d", i).isGreaterThan(100_000);
				}
			}
			assertThat(left(lock(9))).isGreaterThan(30_000);
			assertThat(left(lock(3))).isLessThanOrEqualTo(15_000);
			assertThat(redis.execute("GET", lock(4))).isEqualTo(this.attempts.get(4).owner());
		}
	}

	@Test
	void nodeCountsTwoCommandsForEach() {
		holdAll();
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			redis.execute("CONFIG", "RESETSTAT");
			renew(probe, false);
			assertThat(reply(SIZE - 1)).isEqualTo(new NodeReply.Done(true));
			long commands = String.valueOf(redis.execute("INFO", "commandstats"))
				.lines()
				.filter((line) -> line.matches("cmdstat_(evalsha|getrange|exists|pexpire|pttl|get|set|mget).*"))
				.mapToLong((line) -> Long.parseLong(line.replaceAll(".*calls=(\\d+).*", "$1")))
				.sum();
			assertThat(commands).isLessThanOrEqualTo(2 * SIZE + 2);
			assertThat(left(fence(0))).as("no half of its life is over").isLessThanOrEqualTo(100_000);
		}
	}

	@Test
	void fenceThatIsLostAloneIsPutBack() {
		holdAll();
		redis.execute("DEL", fence(6));
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			renew(probe, false);
			assertThat(reply(6)).isEqualTo(new NodeReply.Done(true));
			assertThat(redis.execute("GET", fence(6))).isEqualTo("7");
		}
	}

	@Test
	void releaseBehindItLeavesNoKey() {
		holdAll();
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			renew(probe, false);
			assertThat(probe.send(NodeProbe.release(this.attempts.get(5), "n5")))
				.isInstanceOf(NodeReply.Released.class);
			assertThat(reply(5)).isEqualTo(new NodeReply.Done(true));
			assertThat(redis.execute("EXISTS", lock(5))).isEqualTo(0L);
			assertThat(left(lock(6))).isGreaterThan(20_000);
		}
	}

	@Test
	void isSentAgainWithItsScriptButWithoutLeasesThatAreBeingReleased() {
		holdAll();
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = NodeProbe.connect(proxy.uri())) {
			proxy.holdReplies();
			redis.execute("SCRIPT", "FLUSH");
			renew(probe, false);
			CompletableFuture<NodeReply> released = probe.submit(NodeProbe.release(this.attempts.get(5), "n5"));
			proxy.releaseReplies();
			assertThat(released.orTimeout(30, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Released.class);
			assertThat(NodeProbe.causeOf(reply(5))).isEqualTo(Cause.ERROR);
			assertThat(reply(6)).isEqualTo(new NodeReply.Done(true));
			assertThat(redis.execute("EXISTS", lock(5))).isEqualTo(0L);
			assertThat(left(lock(6))).isGreaterThan(20_000);
		}
	}

	@Test
	void connectionThatBreaksFailsItForAllOfThem() {
		holdAll();
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = NodeProbe.connect(proxy.uri())) {
			proxy.holdReplies();
			renew(probe, false);
			Awaitility.await().atMost(NodeProbe.LONG).until(() -> left(lock(SIZE - 1)) > 20_000);
			proxy.close();
			for (int i = 0; i < SIZE; i++) {
				assertThat(NodeProbe.causeOf(reply(i))).isEqualTo(Cause.CONNECTION_LOST);
			}
		}
	}

	@Test
	void latestOfTheListsThatContradictIsNamed() {
		for (List<Use> lists : List.of(List.of(OLD, NEW), List.of(NEW, OLD))) {
			RecordUpdater compared = compare(lists);
			assertThat(compared.mismatch()).contains("another instance uses a different node list")
				.contains(NEW.text())
				.contains("new:1:1, seen 5 s ago; ignored in 68 s");
		}
	}

	@Test
	void eachStateIsLoggedOnce(CapturedLog output) {
		RecordUpdater compared = compare(List.of());
		assertThat(output).doesNotContain("node:6379");
		for (int i = 0; i < 3; i++) {
			compared.onUses(List.of(NEW));
		}
		assertThat(lines(output)).singleElement().asString().contains("; this instance uses a:1,b:1,c:1");
		for (int i = 0; i < 3; i++) {
			compared.onUses(List.of());
		}
		assertThat(lines(output)).hasSize(2);
		assertThat(lines(output)[1]).contains("all instances use the same node list again");
		compared.onUses(List.of(NEW));
		Use another = new Use("u:1,v:1,w:1", NEW.ageSeconds(), NEW.user());
		compared.onUses(List.of(another));
		assertThat(lines(output)).hasSize(4);
		assertThat(lines(output)[3]).contains(another.text());
	}

	/** Whoever may write to the node could forge what is logged. */
	@Test
	void whatOthersWroteBreaksNoLine() {
		Use forged = new Use("x:1,y:1\nnode", 5, "a\nb:1#1");
		assertThat(compare(List.of(forged)).mismatch()).contains("x:1,y:1\\u000anode").contains("a\\u000ab:1, seen");
	}

	private static String[] lines(CapturedLog output) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains("Lock node node:6379: "))
			.toArray(String[]::new);
	}

	@Test
	void formerRunOfThisInstanceIsSuspectedByItsHostAlone() {
		this.options.set(RedisNodeOptions::instanceId, "new:2");
		assertThat(compare(List.of(new Use("x:1,y:1,w:1", 5, "new:1#1"))).mismatch())
			.contains("(perhaps a former run of this one, new:1, seen 5 s ago");
		assertThat(compare(List.of(new Use("x:1,y:1,w:1", 5, "old:2#1"))).mismatch()).contains("(old:2, seen 5 s ago");
		assertThat(compare(List.of(new Use("x:1,y:1,w:1", 5, "?"))).mismatch()).contains("(seen 5 s ago");
	}

	/** A node that is down from the start is not one whose list differs. */
	@Test
	void nothingDiffersBeforeTheListsOfOthersAreRead() {
		assertThat(create().mismatch()).isEmpty();
	}

	private RecordUpdater compare(List<Use> lists) {
		RecordUpdater compared = create();
		compared.onUses(lists);
		return compared;
	}

	private RecordUpdater create() {
		RedisNodeOptions options = this.options.build();
		NodeAdmission admission = new NodeAdmission(options.quarantine(), options.driftFactor(), false);
		return new RecordUpdater("node:6379", 0, options, new Membership(List.of("a:1", "b:1", "c:1")), admission,
				new NodeHealth(options, admission), (lists) -> {
				});
	}

	/** A step between two replies is noticed if a lease may be as long as that. */
	@ParameterizedTest
	@CsvSource({ "0, 0", "5, 60", "60, 60", "300, 300" })
	void clocksAreComparedForAsLongAsLeasesLastAndAMinuteAtLeast(long quarantineSeconds, long seconds) {
		assertThat(RedisNodes.comparedWithin(Duration.ofSeconds(quarantineSeconds)))
			.isEqualTo(Duration.ofSeconds(seconds));
	}

}
