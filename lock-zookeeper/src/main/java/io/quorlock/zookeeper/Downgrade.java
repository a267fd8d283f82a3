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

import java.util.concurrent.CompletableFuture;

import io.quorlock.time.LockTimer;

/**
 * Turns the nodes of a writer into those of a reader (R19). Goes on over lost connections
 * until they are, or until the session is over or the nodes are being deleted.
 */
final class Downgrade {

	private final Session session;

	private final ClaimNodes entry;

	private final String data;

	private final Runnable onSettled;

	private final Runnable onGone;

	private final CompletableFuture<Boolean> confirmed = new CompletableFuture<>();

	/**
	 * Create a new downgrade.
	 * @param context what the claims of the store share
	 * @param entry the nodes
	 * @param data what they contain afterwards
	 * @param onSettled runs when it is known under which paths they go on: those of a
	 * reader, or those from before
	 * @param onGone runs if one of them was deleted from outside
	 */
	Downgrade(StoreContext context, ClaimNodes entry, String data, Runnable onSettled, Runnable onGone) {
		this.session = entry.session();
		this.entry = entry;
		this.data = data;
		this.onSettled = onSettled;
		this.onGone = onGone;
		LockTimer.Timeout timeout = context.timer()
			.schedule(context.operationTimeoutNanos(), () -> this.confirmed.complete(false));
		this.confirmed.whenComplete((turned, error) -> timeout.cancel());
	}

	/**
	 * Turn the nodes.
	 * @return whether that was confirmed within the operation timeout
	 */
	CompletableFuture<Boolean> start() {
		turn();
		return this.confirmed;
	}

	private void turn() {
		this.entry.downgrade(this.data, (code, results) -> {
			switch (code) {
				case OK -> {
					this.onSettled.run();
					this.confirmed.complete(true);
				}
				case NONODE -> {
					this.onGone.run();
					this.confirmed.complete(false);
				}
				case CONNECTIONLOSS -> this.session.resume(this::turn);
				// The session is over, or there is no right to create nodes.
				default -> {
					this.onSettled.run();
					this.confirmed.complete(false);
				}
			}
		});
	}

}
