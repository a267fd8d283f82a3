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

package io.quorlock.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;

/**
 * A lease that a store granted. Safe for use by several threads.
 *
 * @since 0.1.0
 * @see LeaseStore#release
 */
public interface Grant {

	/**
	 * Begin to watch the lease: renew it, if the claim says so, until it is released or
	 * lost. Called once.
	 * @param listener is notified of what becomes of the lease, on whatever thread found
	 * out, possibly before this method returns
	 */
	void keep(Listener listener);

	/**
	 * Return whether a lease that is renewed is at risk: no renewal has been confirmed,
	 * and a third of the validity or less is left.
	 * @return what is known of it, or {@code null} if the lease is not at risk
	 */
	@Nullable Risk risk();

	/**
	 * Begin to listen for release requests. Called once at most.
	 * @param callback receives each request, on whatever thread it arrived
	 * @throws UnsupportedOperationException if the store cannot pass requests on
	 */
	void onReleaseRequested(Consumer<ReleaseRequest> callback);

	/**
	 * Begin to listen for others that were refused because of this lease, if its claim
	 * says that it may be retained. Called once at most, before {@link #keep}.
	 * @param callback runs for each of them, on whatever thread the news arrived
	 */
	default void onWanted(Runnable callback) {
		// Stores that cannot be notified refuse claims that may be retained.
	}

	/**
	 * Return the names that are held.
	 * @return the names of the claim
	 */
	List<String> names();

	/**
	 * Return the text that identifies the lease in the store:
	 * {@code <instance-id>:<random>:<counter>}.
	 * @return the owner
	 */
	String owner();

	/**
	 * Return the instance of an owner.
	 * @param owner the owner, perhaps another client's
	 * @return what stands before {@code :<random>:<counter>}, or the owner if it has
	 * another form
	 */
	static String instanceOf(String owner) {
		int counter = owner.lastIndexOf(':');
		int random = (counter > 0) ? owner.lastIndexOf(':', counter - 1) : -1;
		return (random > 0) ? owner.substring(0, random) : owner;
	}

	/**
	 * Return the least fencing token of each name. The grant owns
	 * {@linkplain #tokenCount() several} consecutive tokens from there on.
	 * @return the tokens in the order of the names, or {@code null} without fencing
	 */
	long @Nullable [] tokens();

	/**
	 * Return how many fencing tokens of each name the grant took when it was granted.
	 * @return as many as its claim asked for, or 1 if these would have run ahead of the
	 * clock too far
	 */
	int tokenCount();

	/**
	 * Take further fencing tokens, which follow those that the grant owns already.
	 * @param count how many
	 * @return completes, never with an error, within one operation timeout: whether the
	 * grant owns them now. {@code false} as well if they would run ahead of the clock too
	 * far
	 */
	default CompletionStage<Boolean> moreTokens(int count) {
		return CompletableFuture.completedFuture(false);
	}

	/**
	 * Return the number of the permit.
	 * @return 1 to the claim's permits, or 0 for a plain lock
	 */
	int permit();

	/**
	 * Return how the lease excludes others.
	 * @return the mode of the claim, or {@link LockMode#SHARED} after a downgrade
	 */
	LockMode mode();

	/**
	 * Turn an exclusive lease into a shared one without a gap. The holder is considered a
	 * reader from this call on, whether or not it is confirmed: every later renewal turns
	 * what has not been turned. It does not prolong a lease that is not renewed.
	 * @param turn how often the lease had been passed on when its present holder got it
	 * @return whether it was confirmed in time; {@code false} if another holder has it by
	 * now: then nothing is turned
	 * @throws UnsupportedOperationException if the store cannot do it
	 */
	CompletionStage<Boolean> downgrade(int turn);

	/**
	 * Return why the lease is not valid at this instant. The result is computed, so that
	 * it is also correct if no timer could run, and a reason is final: the first call
	 * after the end of the validity loses the lease, and may run the callback given to
	 * {@link #keep}. While another thread is about to run that callback, the reason is
	 * here already.
	 * @return the reason, not empty, or {@code null} while the lease is valid
	 */
	@Nullable String loss();

	/**
	 * Return whether the lease is valid at this instant.
	 * @return whether there is no {@linkplain #loss() loss}
	 */
	default boolean isValid() {
		return loss() == null;
	}

	/**
	 * Return the end of the validity, if nothing renews the lease.
	 * @return a reading of the shared clock
	 */
	long validUntilNanos();

	/**
	 * Pass the lease on to another holder of this process, if it is valid, its last
	 * renewal was confirmed, enough of it is left, and it was not changed. Later calls on
	 * behalf of the former holder have no effect.
	 * @return whether the lease passes
	 */
	boolean passOn();

	/**
	 * Ask for a new lease that begins now. A shorter one lowers the validity at once.
	 * @param lease the new lease
	 * @param turn how often the lease had been passed on when its present holder got it
	 * @return whether it was confirmed in time; {@code false} if another holder has it by
	 * now
	 * @throws IllegalArgumentException if the lease is so short that nothing of it would
	 * be valid; nothing is changed then
	 */
	CompletionStage<Boolean> extend(Duration lease, int turn);

	/**
	 * Stop the renewal, so that the lease is lost when its validity ends.
	 * @param reason why, for the report of the loss
	 * @param turn how often the lease had been passed on when the holder got it for whom
	 * it was renewed; nothing is changed if another holder has it by now
	 */
	void stopRenewal(String reason, int turn);

	/**
	 * Return the nodes that confirmed the lease when they were last asked.
	 * @return their names
	 */
	List<String> nodes();

	/**
	 * Is notified of what becomes of a lease. It must not block.
	 */
	@FunctionalInterface
	interface Listener {

		/**
		 * The lease is lost. Its release is on the way, and no other request of this
		 * process was let in.
		 * @param reason the reason
		 */
		void onLost(String reason);

		/**
		 * A renewal has ended.
		 * @param confirmed whether it was confirmed in time
		 */
		default void onRenewed(boolean confirmed) {
		}

		/**
		 * The {@linkplain Grant#risk() risk} may have begun or ended. Notifications of
		 * several threads are not in order: what counts is what the grant says when it is
		 * asked.
		 */
		default void onRisk() {
		}

	}

	/**
	 * What is known of a lease that is at risk.
	 *
	 * @param confirmedNanos when the last request was sent that was confirmed, a reading
	 * of the shared clock
	 * @param nodes the nodes that confirmed the latest renewal, too few
	 * @param reason why the renewal is not confirmed
	 * @param episode what it began with
	 */
	record Risk(long confirmedNanos, List<String> nodes, String reason, Episode episode) {

		/**
		 * Create the risk of one lease.
		 * @param confirmedNanos when the last request was sent that was confirmed
		 * @param nodes the nodes that confirmed the latest renewal
		 * @param reason why the renewal is not confirmed
		 */
		public Risk(long confirmedNanos, List<String> nodes, String reason) {
			this(confirmedNanos, nodes, reason, Episode.OF_LEASE);
		}

	}

	/**
	 * What a risk began with.
	 */
	enum Episode {

		/** It is the lease's own. */
		OF_LEASE,

		/** It is shared by all leases of the store, which has logged it once. */
		OF_STORE,

		/** It is older than the lease, which was granted all the same. */
		BEFORE_GRANT

	}

}
