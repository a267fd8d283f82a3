package io.quorlock.redis.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import io.quorlock.redis.GroupRecord;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.ServerInfo;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * What is said on a new connection before anything of an attempt is sent on it (R3, R10),
 * in two round trips.
 */
final class HandShake {

	private static final Log logger = LogFactory.getLog(HandShake.class);

	private final NodeAddress address;

	private final JedisNodeOptions options;

	private final byte[] readRecord;

	/**
	 * Creates the hand-shake with one node.
	 * @param readRecord the command that reads the record of the group
	 */
	HandShake(NodeAddress address, JedisNodeOptions options, byte[] readRecord) {
		this.address = address;
		this.options = options;
		this.readRecord = readRecord;
	}

	/**
	 * Logs in and learns who is there.
	 */
	Greeting greet(Wire wire) throws NodeUnavailableException {
		List<byte[]> commands = new ArrayList<>();
		commands.add(hello());
		if (this.address.database() != 0) {
			commands.add(Resp.command("SELECT", Integer.toString(this.address.database())));
		}
		commands.add(Resp.command("CLIENT", "ID"));
		commands.add(Resp.command("INFO"));
		long sentNanos = this.options.clock().nanoTime();
		List<@Nullable Object> answers = ask(wire, commands);
		long micros = (sentNanos / 2 + this.options.clock().nanoTime() / 2) / 1_000;
		ServerInfo info = info(answers.get(answers.size() - 1));
		Long clientId = (answers.get(answers.size() - 2) instanceof Long id) ? id : null;
		return new Greeting(info, clientId, (info.serverTimeMicros() > 0)
				? OptionalLong.of(info.serverTimeMicros() - micros) : OptionalLong.empty());
	}

	private byte[] hello() {
		String password = this.address.password();
		if (password == null) {
			return Resp.command("HELLO", "3", "SETNAME", this.options.clientName());
		}
		String username = (this.address.username() != null) ? this.address.username() : "default";
		return Resp.command("HELLO", "3", "AUTH", username, password, "SETNAME", this.options.clientName());
	}

	private static ServerInfo info(@Nullable Object answer) throws NodeUnavailableException {
		if (!(answer instanceof byte[] bytes)) {
			throw NodeUnavailableException.rejected("does not speak the Redis protocol");
		}
		ServerInfo info = new ServerInfo(new String(bytes, StandardCharsets.UTF_8));
		if (info.isLoading()) {
			throw NodeUnavailableException.rejected("is loading its data");
		}
		if (info.isReplica()) {
			throw NodeUnavailableException.rejected("is a replica; locks need independent masters");
		}
		if (info.runId().isEmpty()) {
			throw NodeUnavailableException.rejected("does not tell its run id, so that a restart would go unnoticed");
		}
		return info;
	}

	/**
	 * Makes sure that the connection before is dead, loads the scripts, tries whether we
	 * may write and announce, and reads the record of the group.
	 * @param formerClientId the connection before, if its server is this one
	 */
	GroupRecord prepare(Wire wire, @Nullable Long formerClientId) throws NodeUnavailableException {
		if (formerClientId != null) {
			killFormer(wire, formerClientId);
		}
		List<byte[]> commands = new ArrayList<>();
		for (LockScript script : LockScript.values()) {
			commands.add(Resp.command("SCRIPT", "LOAD", script.source()));
		}
		String key = this.options.keys().recordKey();
		commands.add(Resp.command("DEL", key + ":none"));
		commands.add(Resp.command("PUBLISH", key + ":none", ""));
		commands.add(this.readRecord);
		List<@Nullable Object> answers = ask(wire, commands);
		try {
			return GroupRecord.of(answers.get(answers.size() - 1));
		}
		catch (IllegalArgumentException ex) {
			throw NodeUnavailableException.rejected("has something else under the key " + key);
		}
	}

	private void killFormer(Wire wire, long clientId) throws NodeUnavailableException {
		byte[] kill = Resp.command("CLIENT", "KILL", "ID", Long.toString(clientId));
		Object answer = answers(wire, List.of(kill)).get(0);
		if (answer instanceof JedisDataException error) {
			// What it still carries may be applied late; the engine releases again until
			// the lease ends.
			logger.warn("Lock node %s did not let us end our former connection: it %s".formatted(this.address.name(),
					ServerErrors.describe(error)));
		}
	}

	private List<@Nullable Object> ask(Wire wire, List<byte[]> commands) throws NodeUnavailableException {
		List<@Nullable Object> answers = answers(wire, commands);
		for (Object answer : answers) {
			if (answer instanceof JedisDataException error) {
				throw NodeUnavailableException.rejected(ServerErrors.describe(error));
			}
		}
		return answers;
	}

	private List<@Nullable Object> answers(Wire wire, List<byte[]> commands) throws NodeUnavailableException {
		List<@Nullable Object> answers = new ArrayList<>();
		try {
			wire.beginStep();
			for (byte[] command : commands) {
				wire.write(command);
			}
			wire.flush();
			for (int i = 0; i < commands.size(); i++) {
				answers.add(wire.read());
			}
			return answers;
		}
		catch (IOException | JedisException ex) {
			throw failure(wire, ex);
		}
	}

	private NodeUnavailableException failure(Wire wire, Exception ex) {
		String reason = wire.describe(ex);
		if (reason.startsWith("does not speak") || reason.startsWith("expects")) {
			return NodeUnavailableException.rejected(reason);
		}
		if (reason.startsWith("TLS")) {
			return NodeUnavailableException.down(reason);
		}
		String hint = "";
		if (reason.startsWith("connection closed") && !this.address.tls()) {
			hint = "; if it expects TLS, use rediss://";
		}
		else if (reason.startsWith("did not answer") && this.address.tls()) {
			hint = "; if it does not expect TLS, use redis://";
		}
		return NodeUnavailableException.down(reason + " during the hand-shake" + hint);
	}

	/**
	 * Who is there.
	 *
	 * @param info what the server tells of itself
	 * @param clientId the number of this connection
	 * @param clockOffsetMicros the server's wall clock less our monotonic clock
	 */
	record Greeting(ServerInfo info, @Nullable Long clientId, OptionalLong clockOffsetMicros) {

	}

}
