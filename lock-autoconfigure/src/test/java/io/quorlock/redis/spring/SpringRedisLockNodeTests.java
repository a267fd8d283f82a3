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

package io.quorlock.redis.spring;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SpringRedisLockNode} without a server.
 */
class SpringRedisLockNodeTests {

	private static final List<String> NAMES = List.of("n");

	private final RedisConnection connection = Mockito.mock(RedisConnection.class, Mockito.RETURNS_DEEP_STUBS);

	private final RedisConnectionFactory factory = Mockito.mock(RedisConnectionFactory.class);

	private volatile boolean sentWhole;

	private @Nullable LockNode started;

	@BeforeEach
	void connect() {
		BDDMockito.given(this.factory.getConnection()).willReturn(this.connection);
	}

	@AfterEach
	void stop() {
		if (this.started != null) {
			this.started.stop();
		}
	}

	@Test
	void onlyTheNewestCommandOfAnAttemptIsSentAgain() {
		Attempt attempt = new Attempt("a1");
		NodeReply reply = replyWithoutScript(renew(attempt, false), () -> renew(attempt, false));
		assertThat(reply).isInstanceOfSatisfying(NodeReply.Failed.class,
				(failed) -> assertThat(failed.cause()).isEqualTo(Cause.ERROR));
		assertThat(this.sentWhole).isFalse();
	}

	/** It is never sent again, whatever the server replies. */
	@Test
	void shorteningRenewalIsSentOnceAndWithItsScript() {
		Attempt attempt = new Attempt("a1");
		NodeReply reply = replyWithoutScript(renew(attempt, true), () -> {
		});
		assertThat(reply).isEqualTo(new NodeReply.Done(true));
		RedisScriptingCommands scripting = this.connection.scriptingCommands();
		BDDMockito.then(scripting)
			.should()
			.eval(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class));
		BDDMockito.then(scripting)
			.should(Mockito.never())
			.evalSha(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class));
	}

	@Test
	void newestCommandOfAnAttemptIsSentAgain() {
		Attempt attempt = new Attempt("a1");
		replyWithoutScript(renew(attempt, false), () -> {
		});
		assertThat(this.sentWhole).isTrue();
	}

	private static NodeCommand renew(Attempt attempt, boolean shorten) {
		return new NodeCommand.Renew(new CommandHeader(LockTarget.exclusive(NAMES), attempt), 30_000, shorten, null, 0,
				true, 0);
	}

	/** The server knows no script; meanwhile something else happens. */
	private NodeReply replyWithoutScript(NodeCommand command, Runnable meanwhile) {
		givenEvalSha().will((invocation) -> {
			meanwhile.run();
			throw new InvalidDataAccessApiUsageException("NOSCRIPT No matching script");
		});
		givenEval().will((invocation) -> {
			this.sentWhole = true;
			return 1L;
		});
		LockNode node = started();
		NodeReply reply = Nodes.reply(node, command);
		node.stop();
		return reply;
	}

	/** A server that keeps no scripts would be asked for ever. */
	@Test
	void commandIsSentAgainOnce() {
		RedisScriptingCommands scripting = this.connection.scriptingCommands();
		InvalidDataAccessApiUsageException missing = new InvalidDataAccessApiUsageException("NOSCRIPT No script");
		givenEvalSha().willThrow(missing);
		givenEval().willThrow(missing);
		LockNode node = started();
		assertThat(Nodes.reply(node, renew(new Attempt("a1"), false)))
			.isEqualTo(new Failed(Cause.ERROR, "NOSCRIPT No script"));
		node.stop();
		Mockito.verify(scripting)
			.eval(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class));
	}

	/** It does not say which readers hold the name. */
	@Test
	void partialRefusalSendsTheCommandInFull() {
		givenEvalSha().willReturn(heldByReaders()).willReturn(1L);
		LockNode node = started();
		assertThat(Nodes.reply(node, new NodeCommand.Acquire(NAMES, new Attempt("a1"), 30_000, null, 1, 0)))
			.isInstanceOf(NodeReply.Granted.class);
		node.stop();
		assertThat(numbersOfKeys()).containsExactly(3, 5);
	}

	/** It would lock the name for nobody (R3). */
	@Test
	void commandIsNotSentInFullBehindTheReleaseOfItsAttempt() {
		Attempt attempt = new Attempt("a1");
		givenEvalSha().will((invocation) -> {
			attempt.releasing();
			return heldByReaders();
		});
		LockNode node = started();
		NodeReply reply = Nodes.reply(node, new NodeCommand.Acquire(NAMES, attempt, 30_000, null, 1, 0));
		node.stop();
		assertThat(reply).isInstanceOf(NodeReply.Refused.class);
		assertThat(numbersOfKeys()).containsExactly(3);
	}

	private static List<Object> heldByReaders() {
		return List.of(20L, "~shared".getBytes(StandardCharsets.US_ASCII), 0L);
	}

	private List<Integer> numbersOfKeys() {
		ArgumentCaptor<Integer> keys = ArgumentCaptor.captor();
		Mockito.verify(this.connection.scriptingCommands(), Mockito.atLeastOnce())
			.evalSha(Mockito.any(byte[].class), Mockito.any(), keys.capture(), Mockito.any(byte[][].class));
		return keys.getAllValues();
	}

	/** R3: otherwise a release could come before the acquire that it is to undo. */
	@Test
	void nothingOvertakesACommandThatIsSentAgain() {
		RedisAsyncCommands<byte[], byte[]> commands = Mockito.mock();
		RedisFuture<Object> missing = new PipelinedRedisFuture<>(
				CompletableFuture.failedFuture(new RedisException("NOSCRIPT No script")));
		RedisFuture<Object> released = new PipelinedRedisFuture<>(CompletableFuture.completedFuture(0L));
		List<String> sent = new CopyOnWriteArrayList<>();
		givenEvalSha(commands).willReturn(missing).will((invocation) -> {
			sent.add("release");
			return released;
		});
		Attempt attempt = new Attempt("a1");
		LockNode node = Nodes.over(lettuce(commands));
		Thread releasing = new Thread(() -> Nodes.reply(node, new NodeCommand.Release(NAMES, attempt, 0)));
		givenEval(commands).will((invocation) -> {
			releasing.start();
			Awaitility.await().until(() -> releasing.getState() == Thread.State.WAITING || !releasing.isAlive());
			sent.add("renewal");
			return released;
		});
		started(node);
		Nodes.reply(node, renew(attempt, false));
		Awaitility.await().until(() -> sent.size() == 2);
		assertThat(sent).containsExactly("renewal", "release");
	}

	@Test
	void whatAScriptMayNotPublishIsPublishedBehindIt() {
		byte[] channel = { 'c' };
		byte[] text = { 't' };
		givenEvalSha().willReturn(List.of("~publish".getBytes(StandardCharsets.US_ASCII), 1L, List.of(channel, text)));
		LockNode node = started();
		assertThat(Nodes.reply(node, renew(new Attempt("a1"), false))).isEqualTo(new NodeReply.Done(true));
		Mockito.verify(this.connection.commands(), Mockito.timeout(30_000)).publish(channel, text);
	}

	/** Whoever waits for it asks by itself, later. */
	@Test
	void replyCountsAlthoughItsMessageCannotBePublished() {
		RedisAsyncCommands<byte[], byte[]> commands = Mockito.mock();
		RedisFuture<Object> reply = new PipelinedRedisFuture<>(CompletableFuture.completedFuture(
				List.of("~publish".getBytes(StandardCharsets.US_ASCII), 1L, List.of(new byte[0], new byte[0]))));
		givenEvalSha(commands).willReturn(reply);
		BDDMockito.given(commands.publish(new byte[0], new byte[0])).willThrow(new RedisException("closed"));
		LockNode node = started(Nodes.over(lettuce(commands)));
		assertThat(Nodes.reply(node, renew(new Attempt("a1"), false))).isEqualTo(new NodeReply.Done(true));
	}

	@Test
	void keyOfAnotherTypeIsNamed() {
		givenEvalSha().willThrow(new InvalidDataAccessApiUsageException("WRONGTYPE Operation against a key"));
		LockNode node = started();
		assertThat(Nodes.reply(node, renew(new Attempt("a1"), false))).isEqualTo(new Failed(Cause.ERROR,
				"holds a value of another type under a key that begins with lock:{n}: delete that key"));
	}

	/** What becomes of a script that the server knows. */
	private BDDMockito.BDDMyOngoingStubbing<Object> givenEvalSha() {
		return BDDMockito.given(this.connection.scriptingCommands()
			.<Object>evalSha(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class)));
	}

	/** The same over Lettuce. */
	private static BDDMockito.BDDMyOngoingStubbing<RedisFuture<Object>> givenEvalSha(
			RedisAsyncCommands<byte[], byte[]> commands) {
		return BDDMockito.given(commands.<Object>evalsha(Mockito.anyString(), Mockito.any(),
				Mockito.any(byte[][].class), Mockito.any(byte[][].class)));
	}

	/** What becomes of one that is sent with its text. */
	private BDDMockito.BDDMyOngoingStubbing<Object> givenEval() {
		return BDDMockito.given(this.connection.scriptingCommands()
			.<Object>eval(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class)));
	}

	private static BDDMockito.BDDMyOngoingStubbing<RedisFuture<Object>> givenEval(
			RedisAsyncCommands<byte[], byte[]> commands) {
		return BDDMockito.given(commands.<Object>eval(Mockito.anyString(), Mockito.any(), Mockito.any(byte[][].class),
				Mockito.any(byte[][].class)));
	}

	private LockNode started() {
		return started(node());
	}

	private LockNode started(LockNode node) {
		this.started = node;
		return Nodes.start(node);
	}

	/** The engine has another name after each start, and commands under way. */
	@Test
	void channelIsListenedToBehindWhatWasSentBefore() {
		RedisAsyncCommands<byte[], byte[]> commands = Mockito.mock();
		AsyncCommand<byte[], byte[], Object> sent = new AsyncCommand<>(new Command<>(CommandType.EVALSHA, null));
		givenEvalSha(commands).willReturn(sent);
		StatefulRedisPubSubConnection<byte[], byte[]> subscriptions = subscriptions();
		RedisClient client = Mockito.mock(RedisClient.class);
		BDDMockito.given(client.connectPubSub(ByteArrayCodec.INSTANCE)).willReturn(subscriptions);
		LockNode node = started(Nodes.over(lettuce(client, commands)));
		node.submit(new NodeCommand.Release(NAMES, new Attempt("a1"), 0), 0, (slot, reply) -> {
		});
		node.listen("app");
		Mockito.verify(client, Mockito.after(100).never()).connectPubSub(ByteArrayCodec.INSTANCE);
		sent.cancel(false);
		Mockito.verify(client, Mockito.timeout(30_000)).connectPubSub(ByteArrayCodec.INSTANCE);
		node.listen("app");
		Mockito.verify(client, Mockito.after(50)).connectPubSub(ByteArrayCodec.INSTANCE);
		node.listen("next");
		Mockito.verify(client, Mockito.timeout(30_000).times(2)).connectPubSub(ByteArrayCodec.INSTANCE);
	}

	@Test
	void stopDoesNotWaitForADriverThatHangs() throws Exception {
		CountDownLatch hung = new CountDownLatch(1);
		givenEvalSha().will((invocation) -> {
			hung.await();
			return 1L;
		});
		LockNode node = started();
		node.submit(new NodeCommand.Release(NAMES, new Attempt("a1"), 0), 0, (slot, reply) -> {
		});
		CompletableFuture<Void> stop = CompletableFuture.runAsync(node::stop);
		try {
			stop.get(30, TimeUnit.SECONDS);
		}
		finally {
			hung.countDown();
		}
		assertThat(node.status().reason()).isEqualTo("stopped");
	}

	@Test
	void stoppedNodeSaysSoAndSendsNothing() {
		LockNode node = node();
		assertThat(node.status().reason()).isEqualTo("not started");
		started(node);
		node.stop();
		assertThat(node.status().isConnected()).isFalse();
		assertThat(node.status().reason()).isEqualTo("stopped");
		assertThat(Nodes.reply(node, new NodeCommand.Release(NAMES, new Attempt("a1"), 0)))
			.isEqualTo(new Failed(Cause.NOT_SENT, "stopped"));
	}

	/** A release may have to follow what is in the driver still (R3). */
	@Test
	void nodeThatCannotBeReachedAnyMoreSendsReleasesOnly() {
		AtomicBoolean gone = new AtomicBoolean();
		BDDMockito.given(this.connection.commands().ping()).will((invocation) -> {
			if (gone.get()) {
				throw new RedisConnectionFailureException("gone");
			}
			return "PONG";
		});
		LockNode node = node();
		this.started = node;
		NodeListener listener = Mockito.mock(NodeListener.class);
		node.start(listener);
		Awaitility.await().until(() -> node.status().isVoting());
		gone.set(true);
		Awaitility.await().until(() -> !node.status().isVoting());
		assertThat(node.status().reason()).isEqualTo("gone");
		assertThat(Nodes.reply(node, renew(new Attempt("a1"), false))).isEqualTo(new Failed(Cause.NOT_SENT, "gone"));
		Nodes.reply(node, new NodeCommand.Release(NAMES, new Attempt("a2"), 0));
		Mockito.verify(this.connection.scriptingCommands())
			.evalSha(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class));
		gone.set(false);
		Mockito.verify(listener, Mockito.timeout(30_000).times(2)).onConnected(node);
	}

	@Test
	void statusTellsByHowMuchTheClockOfTheServerIsAhead() {
		BDDMockito.given(this.connection.serverCommands().time(TimeUnit.MICROSECONDS)).willReturn(Long.MAX_VALUE / 2);
		LockNode node = started();
		assertThat(node.status().clockOffsetMicros().getAsLong()).isCloseTo(
				Long.MAX_VALUE / 2 - System.nanoTime() / 1_000, Offset.offset(Duration.ofMinutes(1).toNanos() / 1_000));
	}

	/**
	 * The pool may be empty for ever; the releases of what was taken have their place.
	 */
	@Test
	void commandsBehindADriverThatHangsAreLimited() {
		CountDownLatch hung = new CountDownLatch(1);
		RedisConnectionFactory factory = Mockito.mock(RedisConnectionFactory.class, Mockito.withSettings().stubOnly());
		BDDMockito.given(factory.getConnection()).willReturn(this.connection);
		LockNode node = started(Nodes.over(factory));
		BDDMockito.given(factory.getConnection()).will((invocation) -> {
			hung.await();
			throw new IllegalStateException("the pool is empty");
		});
		LinkedBlockingQueue<NodeReply> replies = new LinkedBlockingQueue<>();
		for (int i = 0; i < 32_768; i++) {
			node.submit(renew(new Attempt("a" + i), false), 0, (slot, reply) -> replies.add(reply));
		}
		assertThat(replies).isEmpty();
		NodeReply refused = new Failed(Cause.NOT_SENT, "too many pending commands");
		assertThat(Nodes.reply(node, renew(new Attempt("b"), false))).isEqualTo(refused);
		for (int i = 0; i < 32_768; i++) {
			node.submit(new NodeCommand.Release(NAMES, new Attempt("a" + i), 0), 0,
					(slot, reply) -> replies.add(reply));
		}
		assertThat(replies).isEmpty();
		assertThat(Nodes.reply(node, new NodeCommand.Release(NAMES, new Attempt("b"), 0))).isEqualTo(refused);
		hung.countDown();
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> replies.size() == 65_536);
		assertThat(Nodes.reply(node, new NodeCommand.Release(NAMES, new Attempt("c"), 0)))
			.isEqualTo(new Failed(Cause.NOT_SENT, "the pool is empty"));
	}

	/** It may have reached the server (R3). */
	@Test
	void commandThatFailedIsNotSentAgain() {
		givenEvalSha().willThrow(new RedisConnectionFailureException("reset by peer"));
		LockNode node = started();
		assertThat(Nodes.reply(node, renew(new Attempt("a1"), false)))
			.isEqualTo(new Failed(Cause.CONNECTION_LOST, "reset by peer"));
		Mockito.verify(this.connection.scriptingCommands(), Mockito.never())
			.eval(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class));
	}

	@Test
	@Tag("long")
	void commandThatTheDriverDoesNotTakeIsAnswered() {
		RedisAsyncCommands<byte[], byte[]> commands = Mockito.mock();
		givenEvalSha(commands).willThrow(new IllegalStateException("the lock's slot has no master"));
		LockNode node = started(Nodes.over(lettuce(commands)));
		assertThat(Nodes.reply(node, new NodeCommand.Release(NAMES, new Attempt("a1"), 0)))
			.isEqualTo(new Failed(Cause.CONNECTION_LOST, "the lock's slot has no master"));
	}

	/** As an optional class of the driver that is missing does. */
	@Test
	@Tag("long")
	void commandThatTheDriverFailsWithAnErrorIsAnsweredAndPendsNoLonger() {
		RedisAsyncCommands<byte[], byte[]> commands = Mockito.mock();
		givenEvalSha(commands).willThrow(new NoClassDefFoundError("driver/Optional"));
		LockNode node = started(Nodes.over(lettuce(commands)));
		for (int i = 0; i <= 2 * 32_768; i++) {
			assertThat(Nodes.reply(node, new NodeCommand.Release(NAMES, new Attempt("a1"), 0))).isInstanceOfSatisfying(
					NodeReply.Failed.class, (failed) -> assertThat(failed.message()).contains("driver/Optional"));
		}
	}

	private static LettuceConnectionFactory lettuce(RedisAsyncCommands<byte[], byte[]> commands) {
		return lettuce(Mockito.mock(RedisClient.class), commands);
	}

	private static LettuceConnectionFactory lettuce(RedisClient client, RedisAsyncCommands<byte[], byte[]> commands) {
		LettuceConnectionFactory lettuce = Mockito.mock(LettuceConnectionFactory.class);
		StatefulRedisConnection<byte[], byte[]> connection = Mockito.mock();
		RedisFuture<List<byte[]>> time = Mockito.mock();
		RedisFuture<String> pong = Mockito.mock();
		BDDMockito.given(connection.isOpen()).willReturn(true);
		BDDMockito.given(connection.async()).willReturn(commands);
		BDDMockito.given(commands.time()).willReturn(time);
		BDDMockito.given(time.toCompletableFuture()).willReturn(CompletableFuture.completedFuture(List.of()));
		BDDMockito.given(commands.ping()).willReturn(pong);
		BDDMockito.given(lettuce.getRequiredNativeClient()).willReturn(client);
		BDDMockito.given(client.connect(ByteArrayCodec.INSTANCE)).willReturn(connection);
		return lettuce;
	}

	@Test
	void subscriptionThatFailsIsTriedAgainOverANewConnection() {
		StatefulRedisPubSubConnection<byte[], byte[]> first = subscriptions();
		RedisPubSubCommands<byte[], byte[]> failing = Mockito.mock((invocation) -> {
			throw new RedisException("BUSY Redis is busy running a script");
		});
		BDDMockito.given(first.sync()).willReturn(failing);
		StatefulRedisPubSubConnection<byte[], byte[]> second = subscriptions();
		RedisClient client = Mockito.mock(RedisClient.class);
		BDDMockito.given(client.connectPubSub(ByteArrayCodec.INSTANCE))
			.willThrow(new RedisConnectionException("too many clients"))
			.willReturn(first, second);
		LockNode node = Nodes.over(lettuce(client, Mockito.mock()));
		node.listen("app");
		started(node);
		// Sooner than it would be after a refusal, which lasts.
		Mockito.verify(client, Mockito.timeout(10_000).times(3)).connectPubSub(ByteArrayCodec.INSTANCE);
		Mockito.verify(first, Mockito.timeout(10_000)).closeAsync();
		Mockito.verify(second, Mockito.never()).closeAsync();
	}

	@SuppressWarnings("unchecked")
	private static StatefulRedisPubSubConnection<byte[], byte[]> subscriptions() {
		StatefulRedisPubSubConnection<byte[], byte[]> connection = Mockito.mock(Mockito.RETURNS_DEEP_STUBS);
		BDDMockito.given(connection.closeAsync()).willReturn(CompletableFuture.completedFuture(null));
		return connection;
	}

	@Test
	void grantCountsOnceItsReplicasHaveConfirmedIt() {
		givenEvalSha().willReturn(1L);
		BDDMockito.given(this.connection.closePipeline()).willReturn(List.of(true, 1L)).willReturn(List.of(true, 2L));
		LockNode node = started(Nodes.over(this.factory, 2, Duration.ofSeconds(1)));
		assertThat(Nodes.reply(node, new NodeCommand.Acquire(NAMES, new Attempt("a1"), 30_000, null, 1, 0)))
			.isEqualTo(new Failed(Cause.ERROR, "1 of 2 replicas confirmed the lock within 1000 ms"));
		assertThat(Nodes.reply(node, new NodeCommand.Acquire(NAMES, new Attempt("a2"), 30_000, null, 1, 0)))
			.isEqualTo(new NodeReply.Granted(true, null));
		assertThat(Nodes.reply(node, renew(new Attempt("a2"), false))).isEqualTo(new NodeReply.Done(true));
		Mockito.verify(this.connection, Mockito.times(2)).closePipeline();
		Mockito.verify(this.connection, Mockito.times(2))
			.execute("WAIT", new byte[] { '2' }, "1000".getBytes(StandardCharsets.US_ASCII));
	}

	/** The application closes the connections when the node has stopped. */
	@Test
	void stopWaitsForTheReplyToARelease() {
		LockNode node = node();
		AtomicBoolean waited = new AtomicBoolean();
		givenEvalSha().will((invocation) -> {
			waited.set(isStopWaiting(node));
			return 1L;
		});
		started(node);
		Nodes.reply(node, new NodeCommand.Release(NAMES, new Attempt("a1"), 0));
		assertThat(waited).isTrue();
		Awaitility.await().until(() -> node.status().reason().equals("stopped"));
	}

	/** Between the two it has no reply, though the driver has nothing under way. */
	@Test
	void stopWaitsForAReleaseThatIsSentAgain() {
		RedisAsyncCommands<byte[], byte[]> commands = Mockito.mock();
		RedisFuture<Object> missing = new PipelinedRedisFuture<>(
				CompletableFuture.failedFuture(new RedisException("NOSCRIPT No script")));
		RedisFuture<Object> released = new PipelinedRedisFuture<>(CompletableFuture.completedFuture(0L));
		givenEvalSha(commands).willReturn(missing);
		LockNode node = Nodes.over(lettuce(commands));
		AtomicBoolean waited = new AtomicBoolean();
		givenEval(commands).will((invocation) -> {
			waited.set(isStopWaiting(node));
			return released;
		});
		started(node);
		assertThat(Nodes.reply(node, new NodeCommand.Release(NAMES, new Attempt("a1"), 0)))
			.isEqualTo(new NodeReply.Released(true, 0));
		assertThat(waited).isTrue();
		Awaitility.await().until(() -> node.status().reason().equals("stopped"));
	}

	private static boolean isStopWaiting(LockNode node) throws InterruptedException {
		long begun = System.nanoTime();
		Thread stop = new Thread(node::stop);
		stop.start();
		stop.join(200);
		return stop.isAlive() || System.nanoTime() - begun > Duration.ofMillis(500).toNanos();
	}

	private LockNode node() {
		return Nodes.over(this.factory);
	}

	@Test
	void othersCanSendWhileAHandlerHearsThatNothingWasSentAgain() {
		Attempt attempt = new Attempt("a1");
		givenEvalSha().will((invocation) -> {
			attempt.releasing();
			throw new InvalidDataAccessApiUsageException("NOSCRIPT No matching script");
		});
		LockNode node = started();
		CompletableFuture<NodeReply> outcome = new CompletableFuture<>();
		node.submit(new NodeCommand.Acquire(NAMES, attempt, 30_000, null, 1, 0), 0, (slot, reply) -> {
			CompletableFuture
				.runAsync(() -> node.submit(new NodeCommand.Release(NAMES, attempt, 0), 0, (other, ignored) -> {
				}))
				.orTimeout(10, TimeUnit.SECONDS)
				.join();
			outcome.complete(reply);
		});
		assertThat(outcome).succeedsWithin(30, TimeUnit.SECONDS)
			.isInstanceOfSatisfying(NodeReply.Failed.class,
					(failed) -> assertThat(failed.cause()).isEqualTo(Cause.ERROR));
	}

}
