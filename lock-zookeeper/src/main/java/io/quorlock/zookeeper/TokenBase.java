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
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The number that fencing tokens are counted from (R22), as one session knows it. It is
 * only ever raised, and not cached but watched: a server reports a change before it
 * replies to anything that was committed after the change, and the client passes on what
 * it receives in that order. So in the callback of a create, {@link #value()} is the base
 * as a read behind the create would have found it. Used on the event thread of the
 * session alone.
 */
final class TokenBase {

	private final String path;

	private final SessionRequests requests;

	private final Watches watches;

	private final FencingTokens tokens;

	private final Consumer<EventType> changed = (event) -> read();

	private @Nullable Long value;

	private boolean reading;

	TokenBase(String path, SessionRequests requests, Watches watches, FencingTokens tokens) {
		this.path = path;
		this.requests = requests;
		this.watches = watches;
		this.tokens = tokens;
	}

	/** The base, or {@code null} while it has to be read. */
	@Nullable Long value() {
		return this.value;
	}

	/** Nothing is reported any more: the connection is lost. */
	void forget() {
		this.value = null;
	}

	/** Read the base unless it is known, or is being read. */
	void restore() {
		if (this.value == null && !this.reading) {
			read();
		}
	}

	private void read() {
		this.value = null;
		this.reading = true;
		this.watches.on(this.path, this.changed);
		this.requests.read(this.path, true, (code, content) -> {
			this.reading = false;
			if (code == Code.OK && content != null) {
				this.value = this.tokens.checked(FencingTokens.base(content.data()));
			}
		});
	}

	/**
	 * See to it that there is a base, and that no later token lies below what this
	 * process knows of.
	 * @param zxid a transaction of the recent past
	 * @param done receives {@link Code#OK} when it is so, otherwise what hinders it
	 */
	void raise(long zxid, Consumer<Code> done) {
		this.requests.read(this.path, false, (code, content) -> {
			if (code == Code.NONODE) {
				long least = this.tokens.least();
				this.requests.create(this.path, data(least), CreateMode.PERSISTENT,
						(created, ignored) -> raised(zxid, Code.NODEEXISTS, created, least, done));
			}
			else if (content != null) {
				raise(FencingTokens.base(content.data()), content.stat(), zxid, done);
			}
			else {
				done.accept(code);
			}
		});
	}

	/**
	 * A fleet that comes from Redis brings tokens that are as great as the wall clock,
	 * and the next ones have to be greater. One that comes from other servers has a
	 * floor.
	 */
	private void raise(@Nullable Long base, Stat stat, long zxid, Consumer<Code> done) {
		if (base == null) {
			done.accept(Code.DATAINCONSISTENCY);
			return;
		}
		long least = this.tokens.least();
		if (this.tokens.checked(base) != null && FencingTokens.least(base, zxid) >= least) {
			done.accept(Code.OK);
			return;
		}
		this.requests.write("raise", this.path, data(least), stat.getVersion(),
				(code, ignored) -> raised(zxid, Code.BADVERSION, code, least, done));
	}

	private static byte[] data(long base) {
		return Long.toString(base).getBytes(StandardCharsets.US_ASCII);
	}

	private void raised(long zxid, Code raced, Code code, long least, Consumer<Code> done) {
		if (code == raced) {
			raise(zxid, done);
			return;
		}
		if (code == Code.OK) {
			this.tokens.raised(this.path, least);
		}
		done.accept(code);
	}

}
