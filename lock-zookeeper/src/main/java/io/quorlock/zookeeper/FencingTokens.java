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

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
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
	long least() {
		return Math.max(this.settings.leastToken(this.clock), this.next.get());
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
			note(least(this.base.get(), zxid));
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
		Arrays.fill(tokens, least(base, zxid));
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

	static long least(long base, long czxid) {
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

}
