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

	private final SessionRequests requests;

	private final String path;

	private final FencingTokens tokens;

	private final long zxid;

	private final Consumer<Code> done;

	private TokenBase(SessionRequests requests, String path, FencingTokens tokens, long zxid, Consumer<Code> done) {
		this.requests = requests;
		this.path = path;
		this.tokens = tokens;
		this.zxid = zxid;
		this.done = done;
	}

	/**
	 * See to it that there is a base, and that no later token lies below a number.
	 * @param requests the session's requests
	 * @param paths where nodes are
	 * @param tokens what no later token may lie below
	 * @param zxid a transaction of the recent past
	 * @param done receives {@link Code#OK} when it is so, otherwise what hinders it
	 */
	static void raise(SessionRequests requests, LockPaths paths, FencingTokens tokens, long zxid, Consumer<Code> done) {
		new TokenBase(requests, paths.tokenBase(), tokens, zxid, done).read();
	}

	private void read() {
		this.requests.read(this.path, false, (code, content) -> {
			if (code == Code.NONODE) {
				long least = this.tokens.least();
				this.requests.create(this.path, data(least), CreateMode.PERSISTENT,
						(created, ignored) -> raised(Code.NODEEXISTS, created, least));
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
	 * and the next ones have to be greater. One that comes from other servers has a
	 * floor.
	 */
	private void raise(@Nullable Long base, Stat stat) {
		if (base == null) {
			this.done.accept(Code.DATAINCONSISTENCY);
			return;
		}
		long least = this.tokens.least();
		if (this.tokens.checked(base) != null && FencingTokens.least(base, this.zxid) >= least) {
			this.done.accept(Code.OK);
			return;
		}
		this.requests.write("raise", this.path, data(least), stat.getVersion(),
				(code, ignored) -> raised(Code.BADVERSION, code, least));
	}

	private static byte[] data(long base) {
		return Long.toString(base).getBytes(StandardCharsets.US_ASCII);
	}

	private void raised(Code raced, Code code, long least) {
		if (code == raced) {
			read();
		}
		else {
			if (code == Code.OK) {
				this.tokens.raised(this.path, least);
			}
			this.done.accept(code);
		}
	}

}
