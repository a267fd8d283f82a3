package io.quorlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * Prepares a session before it is used: its heartbeat node, and the number that fencing
 * tokens are counted from.
 */
final class SessionSetup {

	private static final byte[] NOTHING = new byte[0];

	private final Requests requests;

	private final LockPaths paths;

	private final long wallMicros;

	private final BiConsumer<Code, String> done;

	private final String heartbeatPath;

	/**
	 * Create a new setup.
	 * @param requests the session's requests
	 * @param paths where nodes are
	 * @param wallMicros the wall clock, below which no token may be
	 * @param done receives {@link Code#OK} when the session can be used, otherwise what
	 * hinders it, and the path of the heartbeat node
	 */
	SessionSetup(Requests requests, LockPaths paths, long wallMicros, BiConsumer<Code, String> done) {
		this.requests = requests;
		this.paths = paths;
		this.wallMicros = wallMicros;
		this.done = done;
		this.heartbeatPath = paths.sessions() + "/" + UUID.randomUUID();
	}

	void start() {
		createHeartbeat(true);
	}

	private void createHeartbeat(boolean mayCreateParents) {
		this.requests.create(this.heartbeatPath, NOTHING, CreateMode.EPHEMERAL, (code, created) -> {
			if (code == Code.NONODE && mayCreateParents) {
				createParents();
			}
			else if (created != null) {
				readTokenBase(created.stat().getCzxid());
			}
			else {
				finish(code);
			}
		});
	}

	/** All at once: one behind the other in the same session. */
	private void createParents() {
		for (String parent : this.paths.rootAndParents()) {
			this.requests.create(parent, NOTHING, CreateMode.PERSISTENT, (code, created) -> {
			});
		}
		this.requests.create(this.paths.sessions(), NOTHING, CreateMode.CONTAINER, (code, created) -> {
			if (code == Code.OK || code == Code.NODEEXISTS) {
				createHeartbeat(false);
			}
			else {
				finish(code);
			}
		});
	}

	private void readTokenBase(long zxid) {
		this.requests.read(this.paths.tokenBase(), false, (code, content) -> {
			if (code == Code.NONODE) {
				byte[] base = Long.toString(this.wallMicros).getBytes(StandardCharsets.US_ASCII);
				this.requests.create(this.paths.tokenBase(), base, CreateMode.PERSISTENT,
						(created, ignored) -> finishUnlessRaced(created, zxid));
			}
			else if (content != null) {
				raise(FencingTokens.base(content.data()), content.stat(), zxid);
			}
			else {
				finish(code);
			}
		});
	}

	/**
	 * A fleet that comes from Redis brings tokens that are as great as the wall clock,
	 * and the next ones have to be greater. The base is only ever raised.
	 */
	private void raise(long base, Stat stat, long zxid) {
		if (FencingTokens.least(base, zxid) >= this.wallMicros) {
			finish(Code.OK);
			return;
		}
		byte[] raised = Long.toString(this.wallMicros).getBytes(StandardCharsets.US_ASCII);
		this.requests.write("raise", this.paths.tokenBase(), raised, stat.getVersion(),
				(code, ignored) -> finishUnlessRaced(code, zxid));
	}

	private void finishUnlessRaced(Code code, long zxid) {
		if (List.of(Code.NODEEXISTS, Code.BADVERSION, Code.NONODE).contains(code)) {
			readTokenBase(zxid);
		}
		else {
			finish(code);
		}
	}

	private void finish(Code code) {
		this.done.accept(code, this.heartbeatPath);
	}

}
