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
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.BDDMockito;
import org.mockito.InOrder;
import org.mockito.MockedStatic;
import org.mockito.Mockito;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.DefaultRedisCredentialsProvider;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

import io.quorlock.Settings;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.ThrowawayCertificates;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.ServerInfo;
import io.quorlock.redis.client.RedisNodes.Housekeeper;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for logging in, and for where the credentials come from.
 */
@ExtendWith(LogCaptureExtension.class)
class LoginTests {

	private static final String RIGHTS = " ~lock:* &lock:* +@all";

	private static final String FIRST = "f1rst-secret";

	private static final String SECOND = "s3cond-secret";

	@AutoClose
	private final EmbeddedRedisNode redis = EmbeddedRedisNode.builder()
		.user("app on >" + FIRST + RIGHTS)
		.user("next on >" + SECOND + RIGHTS)
		.start();

	private final DefaultRedisCredentialsProvider provider = new DefaultRedisCredentialsProvider(login("app", FIRST));

	/** As setup.md describes it for a password that a provider supplies. */
	@Test
	void rotatedPasswordIsUsedForTheNextConnectionAndOnTheCurrentOne(CapturedLog output) {
		try (NodeProbe probe = start(this.redis.uri(), this.provider)) {
			probe.await(State.VOTING);
			this.redis.execute("ACL", "SETUSER", "app", ">" + SECOND);
			this.provider.setCredentials(login("app", SECOND));
			NodeProbe.until(() -> output.toString().contains("accepted new credentials"));
			this.redis.execute("ACL", "SETUSER", "app", "<" + FIRST);
			assertGrants(probe, "a1");
			assertThat(probe.connected).hasSize(1);
			this.redis.execute("CLIENT", "KILL", "USER", "app");
			NodeProbe.until(() -> probe.connected.size() == 2);
			probe.await(State.VOTING);
			assertGrants(probe, "a2");
		}
		assertThat(output).doesNotContain(FIRST).doesNotContain(SECOND).doesNotContain("refused");
	}

	@Test
	@Tag("long")
	void otherUserIsLoggedInOnTheSameConnection() {
		try (NodeProbe probe = start(this.redis.uri(), this.provider)) {
			probe.await(State.VOTING);
			String id = client((client) -> client.contains(" user=app "));
			this.provider.setCredentials(login("next", SECOND));
			Awaitility.await()
				.atMost(NodeProbe.LONG)
				.untilAsserted(() -> assertThat(client((client) -> client.contains(" user=next "))).isEqualTo(id));
			this.redis.execute("ACL", "DELUSER", "app");
			assertGrants(probe, "a1");
			assertThat(probe.connected).hasSize(1);
		}
	}

	@Test
	@Tag("long")
	void connectionKeepsItsLoginIfTheServerRefusesTheNextOne(CapturedLog output) {
		try (NodeProbe probe = start(this.redis.uri(), this.provider)) {
			probe.await(State.VOTING);
			this.provider.setCredentials(login("app", SECOND));
			NodeProbe.until(
					() -> output.toString().contains("refused new credentials, the connection keeps the former ones"));
			assertGrants(probe, "a1");
			// It is asked again and again, and accepts them at last.
			this.redis.execute("ACL", "SETUSER", "app", ">" + SECOND);
			NodeProbe.until(() -> output.toString().contains("accepted new credentials"));
			assertThat(probe.connected).hasSize(1);
		}
		assertThat(output).containsOnlyOnce("refused new credentials").doesNotContain(SECOND);
	}

	@Test
	void providerThatFailsIsSaidWithoutItsMessage(CapturedLog output) {
		AtomicBoolean failing = new AtomicBoolean(true);
		try (NodeProbe probe = start(this.redis.uri(), () -> {
			if (failing.get()) {
				throw new IllegalStateException(SECOND);
			}
			return login("app", FIRST);
		})) {
			NodeStatus status = probe.awaitReason("there are no credentials");
			assertThat(status.state()).isEqualTo(State.DOWN);
			assertThat(status.reason())
				.isEqualTo("there are no credentials: the provider failed with IllegalStateException");
			NodeProbe.until(() -> output.toString().contains("Connections to the lock nodes keep their credentials"));
			failing.set(false);
			probe.await(State.VOTING);
		}
		assertThat(output).containsOnlyOnce("Connections to the lock nodes keep their credentials")
			.doesNotContain(SECOND);
	}

	@Test
	@Tag("long")
	void providerThatHangsIsSaidAndAskedAgain(CapturedLog output) {
		AtomicInteger asked = new AtomicInteger();
		CountDownLatch never = new CountDownLatch(1);
		try (NodeProbe probe = start(this.redis.uri(), () -> {
			try {
				return (asked.incrementAndGet() <= 2 && !never.await(1, TimeUnit.HOURS)) ? null : login("app", FIRST);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		})) {
			String reason = "the credentials provider did not reply within 1000 ms";
			assertThat(probe.awaitReason(reason).state()).isEqualTo(State.DOWN);
			assertThat(NodeProbe.messageOf(probe.send(NodeProbe.acquire(new Attempt("a1"), "n")))).isEqualTo(reason);
			NodeProbe.until(
					() -> output.toString().contains("is down: " + reason + "; check the provider of the credentials"));
			probe.await(State.VOTING);
			assertThat(asked).hasValueGreaterThanOrEqualTo(3);
			NodeProbe.until(() -> output.toString()
				.contains("keep their credentials: the credentials provider did not reply within 5000 ms"));
		}
		assertThat(output).containsOnlyOnce("is down: the credentials provider");
	}

	/** Not even one that cannot be interrupted takes a thread for each attempt. */
	@Test
	void providerThatNeedsLongerThanAnAttemptIsWaitedFor() {
		AtomicInteger asked = new AtomicInteger();
		try (NodeProbe probe = start(this.redis.uri(), () -> {
			asked.incrementAndGet();
			long end = System.nanoTime() + Duration.ofMillis(2_500).toNanos();
			while (System.nanoTime() < end) {
				LockSupport.parkNanos(end - System.nanoTime());
			}
			return login("app", FIRST);
		})) {
			probe.await(State.VOTING);
			assertThat(asked).hasValueLessThanOrEqualTo(2); // once for the watch
		}
	}

	@Test
	void providerWithoutCredentialsLogsNobodyIn() {
		try (NodeProbe probe = start(this.redis.uri(), () -> new RedisCredentials() {
		})) {
			probe.await(State.VOTING);
			assertThat(client((client) -> client.contains(" user=default ") && client.contains(" name=quorlock ")))
				.isNotEmpty();
		}
	}

	@Test
	@Tag("long")
	void addressWithAPasswordOfItsOwnDoesNotAskTheProvider(CapturedLog output) {
		String uri = this.redis.uri().replace("//", "//next:" + SECOND + "@");
		try (NodeProbe probe = start(uri, () -> login("nobody", "wrong"))) {
			probe.await(State.VOTING);
			// The provider was asked for other nodes meanwhile.
			Awaitility.await()
				.pollDelay(Login.Source.PERIOD.plusMillis(500))
				.atMost(NodeProbe.LONG)
				.untilAsserted(() -> assertGrants(probe, "a1"));
			assertThat(client((client) -> client.contains(" user=next "))).isNotEmpty();
		}
		assertThat(output).doesNotContain("refused new credentials");
	}

	@Test
	@Tag("long")
	void providerIsAskedForConnectionsWithTls() {
		ThrowawayCertificates certificates = ThrowawayCertificates.create();
		try (EmbeddedRedisNode secured = certificates.server().user("app on >" + FIRST + RIGHTS).start();
				NodeProbe probe = NodeProbe.connect(secured.uri(),
						options().set(RedisNodeOptions::sslContext, certificates::clientContext)
							.set(RedisNodeOptions::credentials, this.provider)
							.build())) {
			assertGrants(probe, "a1");
		}
	}

	private static void assertGrants(NodeProbe probe, String attempt) {
		assertThat(probe.send(NodeProbe.acquire(new Attempt(attempt), attempt))).isInstanceOf(NodeReply.Granted.class);
	}

	private String client(Predicate<String> which) {
		return String.valueOf(this.redis.execute("CLIENT", "LIST"))
			.lines()
			.filter(which)
			.map((client) -> List.of(client.split(" ")).get(0))
			.findFirst()
			.orElse("");
	}

	private static NodeProbe start(String uri, RedisCredentialsProvider provider) {
		return NodeProbe.start(uri, options().set(RedisNodeOptions::credentials, provider).build());
	}

	private static Settings<RedisNodeOptions> options() {
		return TestOptions.with(new TestClock()).set(RedisNodeOptions::quarantine, Duration.ZERO);
	}

	private static DefaultRedisCredentials login(String user, String password) {
		return new DefaultRedisCredentials(user, password);
	}

	/** Such as one that borrows a connection to a vault. */
	@Test
	void providerIsToldBeforeAndAfterEachQuestion() throws NodeUnavailableException {
		RedisCredentialsProvider provider = Mockito.mock(RedisCredentialsProvider.class);
		BDDMockito.given(provider.get())
			.willReturn(new DefaultRedisCredentials("app", "secret"))
			.willThrow(new IllegalStateException());
		Login.Source source = new Login.Source(provider, NodeProbe.LONG);
		source.ask();
		InOrder order = Mockito.inOrder(provider);
		order.verify(provider).prepare();
		order.verify(provider).get();
		order.verify(provider).cleanUp();
		assertThatExceptionOfType(NodeUnavailableException.class).isThrownBy(source::ask);
		order.verify(provider).cleanUp();
	}

	@Test
	void eachFailureOfTheProviderIsWarnedOfOnce(CapturedLog output) throws NodeUnavailableException {
		RedisCredentialsProvider provider = Mockito.mock(RedisCredentialsProvider.class);
		BDDMockito.given(provider.get())
			.willThrow(new IllegalStateException())
			.willThrow(new IllegalStateException())
			.willReturn(new DefaultRedisCredentials("app", "secret"))
			.willThrow(new IllegalArgumentException())
			.willThrow(new IllegalArgumentException());
		RedisLockNode node = Mockito.mock(RedisLockNode.class);
		Login.Source source = Mockito.spy(new Login.Source(provider, NodeProbe.LONG));
		BDDMockito.willAnswer((call) -> source.ask()).given(source).askAgain();
		Housekeeper housekeeper = new Housekeeper(new TestClock(), source);
		for (int i = 0; i < 5; i++) {
			housekeeper.tick(Set.of(node));
		}
		assertThat(output).containsOnlyOnce("failed with IllegalStateException")
			.containsOnlyOnce("failed with IllegalArgumentException");
		Mockito.verify(node).login(new Login("app", "secret"));
		Mockito.verify(provider, Mockito.times(5)).cleanUp();
	}

	/** Such as in a container that has reached its limit of threads for a while. */
	@Test
	void shortageOfThreadsBlocksNeitherWhoAsksNorTheThreadThatKeepsTheNodes() throws Exception {
		RedisCredentialsProvider provider = Mockito.mock(RedisCredentialsProvider.class);
		BDDMockito.given(provider.get()).willReturn(new DefaultRedisCredentials("app", "secret"));
		Login.Source source = new Login.Source(provider, NodeProbe.LONG);
		CompletableFuture<Login> answer = new CompletableFuture<>();
		Connector.startThread(() -> {
			try (MockedStatic<Connector> threads = Mockito.mockStatic(Connector.class)) {
				threads.when(() -> Connector.startThread(Mockito.any(), Mockito.any()))
					.thenThrow(new OutOfMemoryError("unable to create native thread"));
				assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(source::askAgain);
				for (int i = 0; i < 5; i++) {
					assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(source::ask);
				}
				assertThat(source.askAgain()).as("not before it is due").isNull();
			}
			catch (Throwable ex) {
				answer.completeExceptionally(ex);
			}
			try {
				answer.complete(source.ask());
			}
			catch (NodeUnavailableException ex) {
				answer.completeExceptionally(ex);
			}
		}, "asking");
		assertThat(answer.get(NodeProbe.LONG.toMillis(), TimeUnit.MILLISECONDS)).isEqualTo(new Login("app", "secret"));
	}

	@Test
	void answerFromBeforeAStopIsNotUsedBehindIt() throws Exception {
		RedisCredentialsProvider provider = Mockito.mock(RedisCredentialsProvider.class);
		CompletableFuture<Thread> asking = new CompletableFuture<>();
		CountDownLatch ticked = new CountDownLatch(1);
		BDDMockito.given(provider.get()).willAnswer((call) -> {
			asking.complete(Thread.currentThread());
			ticked.await();
			return new DefaultRedisCredentials("app", "old");
		});
		Login.Source source = new Login.Source(provider, NodeProbe.LONG);
		RedisLockNode node = Mockito.mock(RedisLockNode.class);
		Housekeeper housekeeper = new Housekeeper(new TestClock(), source);
		housekeeper.tick(Set.of(node));
		ticked.countDown();
		asking.get(NodeProbe.LONG.toMillis(), TimeUnit.MILLISECONDS).join();
		BDDMockito.given(provider.get()).willReturn(new DefaultRedisCredentials("app", "new"));
		housekeeper.add(node);
		Mockito.verify(node, Mockito.timeout(NodeProbe.LONG.toMillis())).login(Mockito.any());
		housekeeper.remove(node);
		Mockito.verify(node).login(new Login("app", "new"));
	}

	/** There is no command that logs a connection out. */
	@Test
	void connectionKeepsItsLoginIfTheProviderHasNoCredentialsAnyMore() {
		Pipeline pipeline = Mockito.mock(Pipeline.class);
		Session session = new Session(pipeline, new Handshake.Greeting(Mockito.mock(), new Login("app", "secret"),
				new ServerInfo(""), null, OptionalLong.empty()), List.of());
		session.login(new Login(null, null), "node");
		session.login(new Login("app", "secret"), "node");
		Mockito.verifyNoInteractions(pipeline);
		session.login(new Login("app", "other"), "node");
		Mockito.verify(pipeline).submit(Mockito.any());
	}

}
