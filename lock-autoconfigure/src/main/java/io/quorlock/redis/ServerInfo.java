package io.quorlock.redis;

import java.util.HashMap;
import java.util.Map;

/**
 * What a server reports about itself in reply to {@code INFO}.
 *
 * @since 0.1.0
 */
public final class ServerInfo {

	private final Map<String, String> fields = new HashMap<>();

	/**
	 * Parse a reply.
	 * @param text the reply to {@code INFO}
	 */
	public ServerInfo(String text) {
		text.lines().forEach((line) -> {
			int colon = line.indexOf(':');
			if (colon > 0) {
				this.fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
			}
		});
	}

	/**
	 * Identifies the server process; a restart changes it.
	 * @return the run id; empty if it is not reported
	 */
	public String runId() {
		return text("run_id");
	}

	/**
	 * For how long the server has been up.
	 * @return whole seconds; 0 if it is not reported
	 */
	public long uptimeSeconds() {
		return number("uptime_in_seconds");
	}

	/**
	 * The server's wall clock.
	 * @return microseconds since 1970-01-01T00:00Z; 0 if it is not reported
	 */
	public long serverTimeMicros() {
		return number("server_time_usec");
	}

	/**
	 * What the server is, and of which version.
	 * @return such as {@code Redis 7.2.4}
	 */
	public String version() {
		String valkey = text("valkey_version");
		return valkey.isEmpty() ? "Redis " + text("redis_version") : "Valkey " + valkey;
	}

	/**
	 * Whether it copies another server.
	 * @return whether it is a replica
	 */
	public boolean isReplica() {
		return text("role").equals("slave");
	}

	/**
	 * Whether it is still reading its data.
	 * @return whether it is loading
	 */
	public boolean isLoading() {
		return text("loading").equals("1");
	}

	/**
	 * What it does when its memory is full.
	 * @return the policy; empty if it is not reported
	 */
	public String evictionPolicy() {
		return text("maxmemory_policy");
	}

	private String text(String field) {
		return this.fields.getOrDefault(field, "");
	}

	private long number(String field) {
		try {
			return Long.parseLong(text(field));
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

}
