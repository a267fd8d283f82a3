package io.quorlock.redis.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.redis.LockScript;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.RespError;
import io.quorlock.redis.RespReader;
import io.quorlock.redis.SafeText;
import io.quorlock.redis.ServerInfo;

/**
 * What is sent on a new connection before any command of an attempt (R3, R10), in two
 * round trips.
 */
final class Handshake {

	private static final Log logger = LogFactory.getLog(Handshake.class);

	private final NodeAddress address;

	private final JedisNodeOptions options;

	private final RecordUpdater record;

	/**
	 * Create the handshake with one node.
	 */
	Handshake(NodeAddress address, JedisNodeOptions options, RecordUpdater record) {
		this.address = address;
		this.options = options;
		this.record = record;
	}

	/**
	 * Log in and learn which server it is.
	 */
	Server identify(Connection connection) throws NodeUnavailableException {
		List<byte[]> commands = new ArrayList<>();
		commands.add(hello());
		if (this.address.database() != 0) {
			commands.add(RespEncoder.command("SELECT", Integer.toString(this.address.database())));
		}
		commands.add(RespEncoder.command("CLIENT", "ID"));
		commands.add(RespEncoder.command("INFO"));
		long sentNanos = this.options.clock().nanoTime();
		List<@Nullable Object> replies = exchange(connection, commands);
		long micros = (sentNanos / 2 + this.options.clock().nanoTime() / 2) / 1_000;
		requireNoError(replies);
		ServerInfo info = info(replies.get(replies.size() - 1));
		Long clientId = (replies.get(replies.size() - 2) instanceof Long id) ? id : null;
		return new Server(info, clientId, (info.serverTimeMicros() > 0)
				? OptionalLong.of(info.serverTimeMicros() - micros) : OptionalLong.empty());
	}

	private byte[] hello() {
		String password = this.address.password();
		if (password == null) {
			return RespEncoder.command("HELLO", "3", "SETNAME", this.options.clientName());
		}
		String username = (this.address.username() != null) ? this.address.username() : "default";
		return RespEncoder.command("HELLO", "3", "AUTH", username, password, "SETNAME", this.options.clientName());
	}

	private static ServerInfo info(@Nullable Object reply) throws NodeUnavailableException {
		if (!(reply instanceof byte[] bytes)) {
			throw NodeUnavailableException.rejected("does not speak the Redis protocol");
		}
		ServerInfo info = new ServerInfo(new String(bytes, StandardCharsets.UTF_8));
		if (info.isLoading()) {
			throw NodeUnavailableException.rejected("is loading its data");
		}
		if (info.isReplica()) {
			throw NodeUnavailableException.rejected("is a replica and cannot vote; locks need independent masters");
		}
		if (info.runId().isEmpty()) {
			throw NodeUnavailableException.rejected("does not report its run id, so that a restart would go unnoticed");
		}
		return info;
	}

	/**
	 * Make sure that the connection before is dead, load the scripts, try each of them,
	 * and read the record of the node list.
	 * @param server the server
	 * @param formerClientId the connection before, if its server is this one
	 */
	Preparation prepare(Connection connection, Server server, @Nullable Long formerClientId)
			throws NodeUnavailableException {
		if (formerClientId != null) {
			killFormer(connection, formerClientId);
		}
		List<byte[]> scratch = ScratchCommands.of(this.options.keys(), String.valueOf(server.clientId()), this.record);
		List<byte[]> commands = new ArrayList<>();
		for (LockScript script : LockScript.values()) {
			commands.add(RespEncoder.command("SCRIPT", "LOAD", script.source()));
		}
		commands.addAll(scratch);
		commands.add(this.record.readCommand());
		List<@Nullable Object> replies = exchange(connection, commands);
		String failure = failure(replies);
		try {
			return new Preparation(MembershipRecord.of(replies.get(replies.size() - 1)), failure, scratch);
		}
		catch (IllegalArgumentException ex) {
			throw NodeUnavailableException.rejected(noRecord(this.options.keys().recordKey()));
		}
	}

	static String noRecord(String key) {
		return "has something else under the key " + SafeText.of(key);
	}

	/** A server that cannot write at present keeps the locks that are held. */
	private static String failure(List<@Nullable Object> replies) throws NodeUnavailableException {
		String failure = "";
		for (Object reply : replies) {
			if (reply instanceof RespError error) {
				if (!ServerErrors.isCannotWrite(error)) {
					throw NodeUnavailableException.rejected(ServerErrors.describe(error));
				}
				failure = failure.isEmpty() ? ServerErrors.describe(error) : failure;
			}
		}
		return failure;
	}

	private void killFormer(Connection connection, long clientId) throws NodeUnavailableException {
		byte[] kill = RespEncoder.command("CLIENT", "KILL", "ID", Long.toString(clientId));
		Object reply = exchange(connection, List.of(kill)).get(0);
		if (reply instanceof RespError error && !error.message().contains("No such client")) {
			// What it still carries may be applied late; the release is repeated until
			// the lease ends.
			logger.warn("Lock node %s did not end our former connection: it %s".formatted(this.address.name(),
					ServerErrors.describe(error)));
		}
	}

	private static void requireNoError(List<@Nullable Object> replies) throws NodeUnavailableException {
		for (Object reply : replies) {
			if (reply instanceof RespError error) {
				throw NodeUnavailableException.rejected(ServerErrors.describe(error));
			}
		}
	}

	private static List<@Nullable Object> exchange(Connection connection, List<byte[]> commands)
			throws NodeUnavailableException {
		List<@Nullable Object> replies = new ArrayList<>();
		try {
			connection.beginStep();
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
			throw connection.describe(ex, " during the handshake");
		}
	}

	/**
	 * Which server it is.
	 *
	 * @param info what the server reports of itself
	 * @param clientId the number of this connection
	 * @param clockOffsetMicros the server's wall clock less our monotonic clock
	 */
	record Server(ServerInfo info, @Nullable Long clientId, OptionalLong clockOffsetMicros) {

	}

	/**
	 * What the server is ready for.
	 *
	 * @param membership its record of the node list
	 * @param failure why it cannot carry out the scripts at present; empty if it can
	 * @param scratch tries the scripts again
	 */
	record Preparation(MembershipRecord membership, String failure, List<byte[]> scratch) {

	}

}
