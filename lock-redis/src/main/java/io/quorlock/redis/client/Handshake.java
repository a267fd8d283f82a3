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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisCredentialsProvider;

import io.quorlock.LogText;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.RespError;
import io.quorlock.redis.RespReader;
import io.quorlock.redis.ServerInfo;
import io.quorlock.redis.client.ScratchCommands.Refusals;

/**
 * Opens the sessions of one node: connects, and sends in two round trips what comes
 * before any command of an attempt.
 *
 * @param logins absent where the address has a login of its own, or there is none
 */
record Handshake(NodeAddress address, RedisNodeOptions options, Login.@Nullable Source logins, RecordUpdater record,
		Subscriptions subscriptions) {

	static final String REPLICA = "is a replica and cannot vote; locks need independent masters";

	static Handshake of(NodeAddress address, RedisNodeOptions options, RecordUpdater record,
			Subscriptions subscriptions) {
		RedisCredentialsProvider provider = (address.password() == null) ? options.credentials() : null;
		Login.Source logins = (provider != null) ? new Login.Source(provider, options.connectTimeout()) : null;
		return new Handshake(address, options, logins, record, subscriptions);
	}

	/**
	 * Log in and learn which server it is.
	 * @param connection a connection that is not connected yet; closed on failure
	 */
	Greeting greet(Connection connection) throws NodeUnavailableException {
		try {
			Login login = (this.logins != null) ? this.logins.ask()
					: new Login(this.address.username(), this.address.password());
			connection.connect(this.address, this.options);
			return greet(connection, login);
		}
		catch (NodeUnavailableException | RuntimeException | Error ex) {
			connection.close();
			throw ex;
		}
	}

	private Greeting greet(Connection connection, Login login) throws NodeUnavailableException {
		List<byte[]> commands = new ArrayList<>();
		commands.add(login.hello(this.options.clientName()));
		if (this.address.database() != 0) {
			commands.add(RespEncoder.command("SELECT", Integer.toString(this.address.database())));
		}
		commands.add(RespEncoder.command("INFO"));
		long sentNanos = this.options.clock().nanoTime();
		List<@Nullable Object> replies = exchange(connection, "HELLO and INFO", commands);
		long micros = (sentNanos / 2 + this.options.clock().nanoTime() / 2) / 1_000;
		requireNoError(replies);
		ServerInfo info = info(replies.get(replies.size() - 1));
		return new Greeting(connection, login, info, clientId(replies.get(0)), (info.serverTimeMicros() > 0)
				? OptionalLong.of(info.serverTimeMicros() - micros) : OptionalLong.empty());
	}

	/** As the reply to HELLO says it, which needs no right. */
	private static @Nullable Long clientId(@Nullable Object hello) {
		List<?> fields = (hello instanceof List<?> list) ? list : List.of();
		for (int i = 0; i + 1 < fields.size(); i += 2) {
			if (fields.get(i) instanceof byte[] name && new String(name, StandardCharsets.UTF_8).equals("id")) {
				return (fields.get(i + 1) instanceof Long id) ? id : null;
			}
		}
		return null;
	}

	private ServerInfo info(@Nullable Object reply) throws NodeUnavailableException {
		ServerInfo info = ServerInfo.of(reply);
		if (info == null) {
			throw NodeUnavailableException.rejected("does not speak the Redis protocol");
		}
		if (info.isReplica()) {
			this.record.onReplica(info);
			throw NodeUnavailableException.rejected(REPLICA);
		}
		if (info.isLoading()) {
			throw NodeUnavailableException.rejected("is loading its data");
		}
		if (info.isSentinel()) {
			throw NodeUnavailableException
				.rejected("is a Sentinel, which keeps no locks; list independent masters, or use"
						+ " the Sentinel group with spring.data.redis.sentinel and distributed-lock.backend=redis");
		}
		if (info.isClusterMember()) {
			throw NodeUnavailableException
				.rejected("is a member of a Redis Cluster, whose failover loses locks unnoticed;"
						+ " list independent masters, or use the Cluster with spring.data.redis.cluster and"
						+ " distributed-lock.backend=redis");
		}
		if (info.runId().isEmpty()) {
			throw NodeUnavailableException.rejected("does not report its run id, so that a restart would go unnoticed");
		}
		return info;
	}

	/**
	 * Open a session.
	 * @param greeting the server that answered; its connection is closed on failure
	 * @param former the session before, of which something may still be under way
	 */
	Session open(Greeting greeting, @Nullable Session former) throws NodeUnavailableException {
		try {
			this.record.onServer(greeting.info());
			return prepare(greeting, clientId(former, greeting.info()));
		}
		catch (NodeUnavailableException | RuntimeException | Error ex) {
			greeting.connection().close();
			throw ex;
		}
	}

	/** A server that was started again numbers its connections from the beginning. */
	private static @Nullable Long clientId(@Nullable Session former, ServerInfo info) {
		return (former != null && former.server.info().runId().equals(info.runId())) ? former.server.clientId() : null;
	}

	/**
	 * Make sure that the connection before is dead, load the scripts, try each of them,
	 * write our node list into the record, and read it.
	 * @param formerClientId the connection before, if its server is this one
	 */
	private Session prepare(Greeting greeting, @Nullable Long formerClientId) throws NodeUnavailableException {
		Connection connection = greeting.connection();
		if (formerClientId != null) {
			// Without the right, what it still carries may be applied late.
			exchange(connection, "CLIENT KILL", List.of(ScratchCommands.kill(formerClientId)));
		}
		List<byte[]> scratch = ScratchCommands.of(this.options.keys(), this.record);
		List<byte[]> commands = new ArrayList<>();
		for (LockScript script : LockScript.values()) {
			commands.add(RespEncoder.command("SCRIPT", "LOAD", script.source()));
		}
		commands.addAll(scratch);
		commands.add(this.record.stayCommand());
		List<@Nullable Object> replies = exchange(connection, "SCRIPT LOAD and EVALSHA", commands);
		Refusals refusals = refusals(replies, scratch);
		MembershipRecord membership = record(replies.get(replies.size() - 1));
		this.record.onConnected(membership, refusals);
		Pipeline pipeline = new Pipeline(this.address.name(), connection, this.options.clock(),
				this.subscriptions::onPush);
		return new Session(pipeline, greeting, scratch);
	}

	/** What the server does not carry out at present. */
	private Refusals refusals(List<@Nullable Object> replies, List<byte[]> scratch) throws NodeUnavailableException {
		for (Object reply : replies) {
			if (reply instanceof RespError error) {
				this.record.onUnusable(error);
			}
		}
		int first = replies.size() - 1 - scratch.size();
		requireNoError(replies.subList(0, first));
		Refusals refusals = Refusals.NONE;
		for (int i = 0; i < scratch.size(); i++) {
			refusals = refusals.and(scratch.get(i), replies.get(first + i));
		}
		if (refusals.unusable()) {
			throw NodeUnavailableException.rejected(refusals.failure());
		}
		return refusals;
	}

	/** A server that cannot write at present keeps the locks that are held. */
	private @Nullable MembershipRecord record(@Nullable Object reply) throws NodeUnavailableException {
		if (reply instanceof RespError error) {
			if (error.isCannotWrite()) {
				return null;
			}
			throw NodeUnavailableException.rejected(error.describe());
		}
		try {
			return MembershipRecord.of(reply);
		}
		catch (IllegalArgumentException ex) {
			throw NodeUnavailableException.rejected(noRecord(this.options.keys().recordKey()));
		}
	}

	static String noRecord(String key) {
		return "has something else under the key " + LogText.bounded(key);
	}

	private static void requireNoError(List<@Nullable Object> replies) throws NodeUnavailableException {
		for (Object reply : replies) {
			if (reply instanceof RespError error) {
				throw NodeUnavailableException.rejected(error.describe());
			}
		}
	}

	private static List<@Nullable Object> exchange(Connection connection, String step, List<byte[]> commands)
			throws NodeUnavailableException {
		List<@Nullable Object> replies = new ArrayList<>();
		try {
			connection.beginStep(step);
			for (byte[] command : commands) {
				connection.write(command);
			}
			connection.flush();
			for (int i = 0; i < commands.size(); i++) {
				replies.add(connection.read(RespReader.Limits.HANDSHAKE));
			}
			return replies;
		}
		catch (IOException | RuntimeException ex) {
			// A server with too many clients says so and closes the connection.
			requireNoError(replies);
			throw connection.describe(ex);
		}
	}

	/**
	 * A connection whose server is known and on which no lock depends yet.
	 *
	 * @param info what the server reports of itself
	 * @param clientId the number of this connection
	 * @param clockOffsetMicros the server's wall clock less our monotonic clock
	 */
	record Greeting(Connection connection, Login login, ServerInfo info, @Nullable Long clientId,
			OptionalLong clockOffsetMicros) {

	}

}
