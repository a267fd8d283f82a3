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
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

import io.quorlock.time.LockClock;

/**
 * Fencing tokens: {@code base + czxid * 64 + i} (R22). The transaction that created a
 * claim's node orders claims for ever, which the sequence number does not: it restarts
 * with its container.
 */
final class FencingTokens {

	private static final Log logger = LogFactory.getLog(FencingTokens.class);

	/** How many tokens one grant owns at most. */
	static final int PER_GRANT = 64;

	private final ZooKeeperSettings settings;

	private final LockClock clock;

	/** The greatest base that was seen. */
	private final AtomicLong base = new AtomicLong();

	/**
	 * What exceeds each token that may have been granted by anybody, as far as is known.
	 */
	private final AtomicLong next = new AtomicLong();

	FencingTokens(ZooKeeperSettings settings, LockClock clock) {
		this.settings = settings;
		this.clock = clock;
	}

	/** What no new token may lie below: the clock, the floor, and what was seen. */
	long min() {
		return Math.max(this.settings.minToken(this.clock), this.next.get());
	}

	/**
	 * The base, unless it is less than it once was: the servers were restored from a
	 * backup, and it has to be raised.
	 */
	@Nullable Long checked(@Nullable Long read) {
		return (read != null && this.base.accumulateAndGet(read, Math::max) == read) ? read : null;
	}

	/** A transaction was committed, so that its token may have been granted. */
	void committed(long zxid) {
		if (this.base.get() > 0) {
			note(first(this.base.get(), zxid));
		}
	}

	private void note(long token) {
		this.next.accumulateAndGet(token + PER_GRANT, Math::max);
	}

	/** The tokens of a grant, unless there are to be none. */
	long @Nullable [] of(long base, long zxid, int names) {
		if (!this.settings.fencing()) {
			return null;
		}
		long[] tokens = new long[names];
		Arrays.fill(tokens, first(base, zxid));
		note(tokens[0]);
		return tokens;
	}

	/** Report once that tokens were kept from going back. */
	void raised(String path, long to) {
		if (this.next.get() > 0) {
			logger.warn(
					"Fencing tokens of ZooKeeper %s were about to go back: its data was deleted, or restored from a backup. %s is raised to %d, above all that this instance has seen. Set distributed-lock.fencing.floor, and start those instances again that were started since"
						.formatted(this.settings.connectString(), path, to));
		}
	}

	static long first(long base, long czxid) {
		return Math.addExact(base, Math.multiplyExact(czxid, PER_GRANT));
	}

	/** Read the base, unless something else was written there. */
	static @Nullable Long base(byte @Nullable [] data) {
		try {
			return (data != null) ? Long.valueOf(new String(data, StandardCharsets.US_ASCII)) : null;
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	/**
	 * The number that fencing tokens are counted from, as one session knows it. It is
	 * only ever raised, and not cached but watched: a server reports a change before it
	 * replies to anything that was committed after the change, and the client passes on
	 * what it receives in that order. So in the callback of a create, {@link #value()} is
	 * the base as a read behind the create would have found it. Used on the event thread
	 * of the session alone.
	 */
	static final class Base {

		private final String path;

		private final SessionRequests requests;

		private final SessionEvents events;

		private final FencingTokens tokens;

		private final Consumer<EventType> changed = (event) -> read();

		private @Nullable Long value;

		private boolean reading;

		Base(String path, SessionRequests requests, SessionEvents events, FencingTokens tokens) {
			this.path = path;
			this.requests = requests;
			this.events = events;
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
			this.events.onChange(this.path, this.changed);
			this.requests.read(this.path, true, (code, content) -> {
				this.reading = false;
				if (content != null) {
					this.value = this.tokens.checked(base(content.data()));
				}
			});
		}

		/**
		 * See to it that there is a base, and that no later token lies below what this
		 * process knows of. A fleet that comes from Redis brings tokens that are as great
		 * as the wall clock, and the next ones have to be greater. One that comes from
		 * other servers has a floor.
		 * @param zxid a transaction of the recent past
		 * @param done receives {@link Code#OK} when it is so, otherwise what hinders it
		 */
		void raise(long zxid, Consumer<Code> done) {
			this.requests.read(this.path, false, (code, content) -> {
				Long base = (content != null) ? base(content.data()) : null;
				long min = this.tokens.min();
				byte[] data = Long.toString(min).getBytes(StandardCharsets.US_ASCII);
				if (code == Code.NONODE) {
					this.requests.create(this.path, data, CreateMode.PERSISTENT,
							(created, stat) -> raised(zxid, created, min, done));
				}
				else if (content == null) {
					done.accept(code);
				}
				else if (base == null) {
					done.accept(Code.DATAINCONSISTENCY);
				}
				else if (this.tokens.checked(base) != null && first(base, zxid) >= min) {
					done.accept(Code.OK);
				}
				else {
					this.requests.write("raise", this.path, data, content.stat().getVersion(),
							(written, stat) -> raised(zxid, written, min, done));
				}
			});
		}

		private void raised(long zxid, Code code, long min, Consumer<Code> done) {
			if (code == Code.NODEEXISTS || code == Code.BADVERSION) {
				raise(zxid, done); // another instance was faster
				return;
			}
			if (code == Code.OK) {
				this.tokens.raised(this.path, min);
			}
			done.accept(code);
		}

	}

}
