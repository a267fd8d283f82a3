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

package io.quorlock.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.store.Grant;

/**
 * How many turns a lease may have: each takes a fencing token of its own (R9). A lease
 * that may be retained takes further tokens before it has used up those that it owns
 * (R24).
 */
final class TokenRange {

	/**
	 * Half of them last longer than it takes to get more where nodes are near.
	 */
	static final int FIRST_RETAINED = 256;

	private static final int MAX_AT_ONCE = 65_536;

	private static final int MAX = 1 << 30;

	private final Grant grant;

	private volatile int size;

	/** The last turn, which perhaps no holder took. */
	private volatile int turn;

	/**
	 * How many were taken last; 0 if no more will be. Written by one question at once.
	 */
	private volatile int last;

	/**
	 * Completes with the reply to the request for more that is under way. Not made for a
	 * range that does not grow.
	 */
	private final @Nullable AtomicReference<@Nullable CompletableFuture<@Nullable Void>> asking;

	/** How many tokens a request takes: as many as holders may follow each other. */
	static int size(EngineSettings settings, LockRequest request, boolean retained) {
		if (retained) {
			return FIRST_RETAINED;
		}
		boolean follow = request.mode() == LockMode.EXCLUSIVE && Tenure.isPassable(request);
		return follow ? Math.max(1, settings.handoverMax()) : 1;
	}

	TokenRange(Grant grant, boolean growing) {
		this.grant = grant;
		boolean fenced = grant.tokens() != null;
		int size = grant.tokenCount();
		this.size = (growing && !fenced) ? MAX : size;
		this.last = (growing && fenced) ? size : 0;
		this.asking = (growing && fenced) ? new AtomicReference<>() : null;
	}

	/** Return the number of the next turn: each of them has it to itself. */
	int next() {
		return this.turn + 1;
	}

	/**
	 * Pass the lease on to the next turn. If no holder takes it after all, its token
	 * stays unused, since the grant counts the turns, too.
	 */
	boolean passOn() {
		boolean passes = this.grant.passOn();
		this.turn += passes ? 1 : 0;
		return passes;
	}

	/**
	 * Return whether a turn has a token. Asks for more when half of the last are used.
	 */
	boolean has(int turn) {
		if (this.asking != null && this.last > 0 && turn >= this.size - this.last / 2 && this.size < MAX) {
			askForMore(this.asking);
		}
		return turn < this.size;
	}

	/** Report whether a turn has a token, once that is known. */
	void whenKnown(int turn, Consumer<Boolean> there) {
		CompletableFuture<@Nullable Void> asking = (has(turn) || this.asking == null) ? null : this.asking.get();
		if (asking == null) {
			there.accept(has(turn));
		}
		else {
			asking.thenRun(() -> there.accept(has(turn)));
		}
	}

	private void askForMore(AtomicReference<@Nullable CompletableFuture<@Nullable Void>> asking) {
		CompletableFuture<@Nullable Void> replied = new CompletableFuture<>();
		if (asking.compareAndSet(null, replied)) {
			int count = Math.min(2 * this.last, MAX_AT_ONCE);
			this.grant.moreTokens(count).whenComplete((more, ex) -> {
				this.size += Boolean.TRUE.equals(more) ? count : 0;
				this.last = Boolean.TRUE.equals(more) ? count : 0;
				asking.set(null);
				replied.complete(null);
			});
		}
	}

}
