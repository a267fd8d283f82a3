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

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RespError;
import io.quorlock.redis.RespReader;
import io.quorlock.redis.ScriptCall;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for commands as they are sent: what they say, how they are encoded, and the room
 * that is used again.
 */
class LockCommandTests {

	private static final Duration QUARANTINE = Duration.ofSeconds(60);

	private final TestClock clock = new TestClock();

	private final NodeAdmission admission = new NodeAdmission(QUARANTINE, 0.01, false);

	private final NodeHealth health = new NodeHealth(TestOptions.with(this.clock).build(), this.admission);

	private final CompletableFuture<NodeReply> reply = new CompletableFuture<>();

	private final Pipeline pipeline = Mockito.mock(Pipeline.class);

	private final Attempt attempt = new Attempt("a1");

	private final LockCommand command = new LockCommand(NodeProbe.acquire(this.attempt, "n"), 0,
			(slot, received) -> this.reply.complete(received), this.pipeline, this.health, new RedisKeys("lock:"));

	/** Under which a command is sent again. */
	private final ArgumentCaptor<BooleanSupplier> condition = ArgumentCaptor.captor();

	private static final Pattern CALLED = Pattern.compile("redis\\.p?call\\('([A-Z]+)'");

	private static final Pattern USED = Pattern.compile("cmdstat_([a-z]+):");

	private void connected(String runId, long uptimeSeconds) {
		this.admission.onConnected(runId, uptimeSeconds, this.clock.nanoTime());
		this.admission.onRecord(Long.MAX_VALUE, this.clock.nanoTime());
	}

	@Test
	void replyToACommandThatWasSentInQuarantineDoesNotCountLater() {
		connected("new", 0);
		this.command.onQueued(this.clock.nanoTime());
		this.clock.advance(QUARANTINE.multipliedBy(2));
		assertThat(this.health.isVoting()).isTrue();
		this.command.onReply(1L);
		assertThat(this.reply.join().voting()).isFalse();
	}

	@Test
	void replyToACommandThatWasSentWhileTheNodeVotedCounts() {
		connected("old", 86_400);
		this.command.onQueued(this.clock.nanoTime());
		connected("new", 0);
		assertThat(this.health.isVoting()).isFalse();
		this.command.onReply(1L);
		assertThat(this.reply.join().voting()).isTrue();
	}

	/** Those with other lists need no majority of ours by then (R10). */
	@Test
	void replyToACommandThatWasSentAfterAPauseDoesNotCountUntilOurListIsConfirmed() {
		connected("old", 86_400);
		this.admission.onListed(this.clock.nanoTime() + Duration.ofSeconds(11).toNanos());
		assertThat(this.health.isVoting()).isTrue();
		this.clock.jump(Duration.ofSeconds(12));
		this.command.onQueued(this.clock.nanoTime());
		this.admission.onListed(this.clock.nanoTime() + Duration.ofSeconds(11).toNanos());
		this.command.onReply(1L);
		assertThat(this.reply.join().voting()).isFalse();
		assertThat(this.health.isVoting()).isTrue();
	}

	@Test
	void partialRefusalSendsTheCommandInFull() {
		connected("old", 86_400);
		this.command.onQueued(this.clock.nanoTime());
		this.command.onReply(refusal("~shared"));
		assertThat(this.reply).isNotDone();
		PendingCommand inFull = sentInFull();
		assertThat(inFull.bytes()).asString().contains(LockScript.ACQUIRE.sha1());
		inFull.onQueued(this.clock.nanoTime());
		inFull.onReply(1L);
		assertThat(this.reply.join()).isInstanceOf(NodeReply.Granted.class);
	}

	@Test
	void refusalOfTheCommandInFullIsNotPartial() {
		this.command.onReply(refusal("~ticket:0000000000000001:w:200:b:1:2"));
		sentInFull().onReply(refusal("~ticket:0000000000000001:w:200:b:1:2"));
		assertThat(this.reply.join()).isInstanceOf(NodeReply.Refused.class);
	}

	@Test
	void refusalByAnOwnerIsWhole() {
		this.command.onReply(refusal("b:1:1"));
		assertThat(this.reply.join()).isInstanceOf(NodeReply.Refused.class);
		Mockito.verifyNoInteractions(this.pipeline);
	}

	@Test
	void scriptThatIsMissingIsLoadedForTheFormThatWasSent() {
		this.command.onQueued(this.clock.nanoTime());
		this.command.onReply(new RespError("NOSCRIPT No matching script."));
		assertThat(loaded()).contains(LockScript.ACQUIRE_PLAIN.source());
		this.command.onReply(refusal("~shared"));
		PendingCommand inFull = sentInFull();
		Mockito.clearInvocations(this.pipeline);
		inFull.onQueued(this.clock.nanoTime());
		inFull.onReply(new RespError("NOSCRIPT No matching script."));
		assertThat(loaded()).contains(LockScript.ACQUIRE.source());
	}

	/** It would lock the name for nobody (R3). */
	@Test
	void commandIsNotSentInFullBehindTheReleaseOfItsAttempt() {
		this.command.onReply(refusal("~shared"));
		PendingCommand inFull = sentInFull();
		assertThat(this.condition.getValue().getAsBoolean()).isTrue();
		this.attempt.releasing();
		assertThat(this.condition.getValue().getAsBoolean()).isFalse();
		inFull.onFailure(Cause.NOT_SENT, "too late");
		assertThat(this.reply.join()).isInstanceOfSatisfying(NodeReply.Refused.class,
				(refused) -> assertThat(refused.blockers()).containsExactly(new Blocker.Readers(List.of())));
	}

	/** The server may have carried it out. */
	@Test
	void commandInFullWhoseConnectionIsLostMayHaveLocked() {
		this.command.onReply(refusal("~shared"));
		sentInFull().onFailure(Cause.CONNECTION_LOST, "closed");
		assertThat(NodeProbe.causeOf(this.reply.join())).isEqualTo(Cause.CONNECTION_LOST);
	}

	private static List<Object> refusal(String blocker) {
		return List.of(20L, blocker.getBytes(StandardCharsets.US_ASCII), 0L);
	}

	private PendingCommand sentInFull() {
		ArgumentCaptor<PendingCommand> sent = ArgumentCaptor.captor();
		Mockito.verify(this.pipeline).submitIf(this.condition.capture(), Mockito.any(), sent.capture());
		return sent.getValue();
	}

	private String loaded() {
		ArgumentCaptor<PendingCommand> load = ArgumentCaptor.captor();
		Mockito.verify(this.pipeline)
			.submitIf(Mockito.any(), Mockito.any(), load.capture(), Mockito.any(PendingCommand.class));
		return new String(load.getValue().bytes(), StandardCharsets.UTF_8);
	}

	/** An ACL may allow the names of one team: the other locks need the connection. */
	@Test
	void nameThatTheUserMayNotTouchCostsNoConnection() {
		this.command.onQueued(this.clock.nanoTime());
		this.command.onReply(new RespError("NOPERM No permissions to access a key"));
		assertThat(NodeProbe.causeOf(this.reply.join())).isEqualTo(Cause.ERROR);
		assertThat(NodeProbe.messageOf(this.reply.join())).contains("denies a permission");
		Mockito.verify(this.pipeline, Mockito.never()).close(Mockito.any());
	}

	@Test
	void serverThatDeniesTheCommandIsLeft() {
		this.command.onQueued(this.clock.nanoTime());
		this.command.onReply(new RespError("NOPERM User locker has no permissions to run the 'evalsha' command"));
		assertThat(NodeProbe.causeOf(this.reply.join())).isEqualTo(Cause.ERROR);
		Mockito.verify(this.pipeline).close(Mockito.any());
	}

	@Test
	void lateRepliesCountInARowOnly() {
		for (int i = 0; i < 2; i++) {
			late();
			late();
			assertThat(this.health.failure()).isEmpty();
			this.health.onReply(this.clock.nanoTime());
		}
		late();
		late();
		late();
		assertThat(this.health.failure()).startsWith("takes ");
	}

	private void late() {
		long queuedNanos = this.clock.nanoTime();
		this.clock.advance(Duration.ofSeconds(30));
		this.health.onReply(queuedNanos);
	}

	@Test
	void commandIsArrayOfStrings() {
		assertThat(text(RespEncoder.command("HELLO", "3", ""))).isEqualTo("*3\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$0\r\n\r\n");
	}

	@Test
	void scriptIsCalledByItsDigest() {
		byte[] call = RespEncoder.evalsha(LockScript.RECORD, "k", 0, List.of("1", "ü"));
		assertThat(text(call)).isEqualTo("*6\r\n$7\r\nEVALSHA\r\n$40\r\n" + LockScript.RECORD.sha1()
				+ "\r\n$1\r\n1\r\n$1\r\nk\r\n$1\r\n1\r\n$2\r\nü\r\n");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 9, 10, 11, 99, 100, 101, 999, 1000, 12_345, 100_000 })
	void partsOfAnyLengthAreReadAgain(int length) throws IOException {
		String part = "x".repeat(length);
		assertThat(read(RespEncoder.command("SET", part, part))).containsExactly("SET", part, part);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 9, 10, 97, 100, 1000 })
	void anyNumberOfKeysIsReadAgain(int keys) throws IOException {
		byte[][] each = Collections.nCopies(keys, bytes("key")).toArray(byte[][]::new);
		byte[] call = RespEncoder.evalsha(new ScriptCall(LockScript.RELEASE, each, new byte[][] { bytes("a") }));
		List<String> parts = read(call);
		assertThat(parts).hasSize(4 + keys).contains(String.valueOf(keys)).endsWith("key", "a");
		assertThat(parts.get(2)).isEqualTo(String.valueOf(keys));
	}

	private static List<String> read(byte[] command) throws IOException {
		ByteArrayInputStream in = new ByteArrayInputStream(command);
		Object parts = new RespReader(in).read(new RespReader.Limits(1_000_000, 10_000, 1));
		assertThat(in.available()).isZero();
		assertThat(parts).isInstanceOf(List.class);
		return ((List<?>) parts).stream().map((part) -> text((byte[]) part)).toList();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	/** A right that is missing is noticed before the first lock needs it. */
	@Test
	void whateverTheScriptsCallIsTriedAndNothingIsLeft() throws Exception {
		RecordUpdater record = Mockito.mock(RecordUpdater.class);
		BDDMockito
			.given(record.command(ArgumentMatchers.eq(RecordUpdater.Action.JOIN), ArgumentMatchers.any(),
					ArgumentMatchers.any()))
			.willReturn(RespEncoder.evalsha(LockScript.RECORD, "lock:probe:record", 0,
					List.of("join", "list", "60", "", "0", "", "instance", "1000")));
		BDDMockito.given(record.command(ArgumentMatchers.eq(RecordUpdater.Action.BYE), ArgumentMatchers.any()))
			.willReturn(RespEncoder.evalsha(LockScript.RECORD, "lock:probe:record", 0,
					List.of("bye", "list", "60", "", "0", "", "instance")));
		Set<String> called = new TreeSet<>();
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start();
				Socket socket = new Socket("127.0.0.1", redis.port())) {
			for (LockScript script : LockScript.values()) {
				redis.execute("SCRIPT", "LOAD", script.source());
				CALLED.matcher(script.source())
					.results()
					.forEach((call) -> called.add(call.group(1).toLowerCase(Locale.ROOT)));
			}
			redis.execute("CONFIG", "RESETSTAT");
			RespReader replies = new RespReader(socket.getInputStream());
			for (byte[] command : ScratchCommands.of(new RedisKeys("lock:"), record)) {
				socket.getOutputStream().write(command);
				Object reply = replies.read(new RespReader.Limits(1_000_000, 10_000, 8));
				assertThat(reply).as(new String(command, StandardCharsets.US_ASCII)).isNotInstanceOf(RespError.class);
			}
			List<String> used = USED.matcher(String.valueOf(redis.execute("INFO", "commandstats")))
				.results()
				.map((call) -> call.group(1))
				.toList();
			assertThat(used).containsAll(called);
			Awaitility.await()
				.untilAsserted(() -> assertThat(String.valueOf(redis.execute("KEYS", "*"))).isEqualTo("[]"));
		}
	}

}
