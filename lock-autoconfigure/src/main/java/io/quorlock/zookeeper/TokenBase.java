package io.quorlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The number that fencing tokens are counted from (R22). It is only ever raised.
 */
final class TokenBase {

	private final Requests requests;

	private final String path;

	private final long wallMicros;

	private final long zxid;

	private final Consumer<Code> done;

	private TokenBase(Requests requests, String path, long wallMicros, long zxid, Consumer<Code> done) {
		this.requests = requests;
		this.path = path;
		this.wallMicros = wallMicros;
		this.zxid = zxid;
		this.done = done;
	}

	/**
	 * See to it that there is a base, and that no later token lies below the wall clock.
	 * @param requests the session's requests
	 * @param paths where nodes are
	 * @param wallMicros the wall clock
	 * @param zxid a transaction of the recent past
	 * @param done receives {@link Code#OK} when it is so, otherwise what hinders it
	 */
	static void raise(Requests requests, LockPaths paths, long wallMicros, long zxid, Consumer<Code> done) {
		new TokenBase(requests, paths.tokenBase(), wallMicros, zxid, done).read();
	}

	private void read() {
		this.requests.read(this.path, false, (code, content) -> {
			if (code == Code.NONODE) {
				this.requests.create(this.path, wallClock(), CreateMode.PERSISTENT,
						(created, ignored) -> finishUnless(Code.NODEEXISTS, created));
			}
			else if (content != null) {
				raise(FencingTokens.base(content.data()), content.stat());
			}
			else {
				this.done.accept(code);
			}
		});
	}

	/**
	 * A fleet that comes from Redis brings tokens that are as great as the wall clock,
	 * and the next ones have to be greater.
	 */
	private void raise(@Nullable Long base, Stat stat) {
		if (base == null) {
			this.done.accept(Code.DATAINCONSISTENCY);
			return;
		}
		if (FencingTokens.least(base, this.zxid) >= this.wallMicros) {
			this.done.accept(Code.OK);
			return;
		}
		this.requests.write("raise", this.path, wallClock(), stat.getVersion(),
				(code, ignored) -> finishUnless(Code.BADVERSION, code));
	}

	private byte[] wallClock() {
		return Long.toString(this.wallMicros).getBytes(StandardCharsets.US_ASCII);
	}

	private void finishUnless(Code raced, Code code) {
		if (code == raced) {
			read();
		}
		else {
			this.done.accept(code);
		}
	}

}
