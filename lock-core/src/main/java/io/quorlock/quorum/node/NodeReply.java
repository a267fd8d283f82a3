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

package io.quorlock.quorum.node;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a node replied to a {@link NodeCommand}, or why there is no reply.
 *
 * @since 0.1.0
 */
public sealed interface NodeReply {

	/**
	 * Return whether the node was voting when the command was <em>sent</em>, for the run
	 * id then connected.
	 * @return whether the reply counts towards majorities
	 */
	boolean voting();

	/**
	 * An acquire was carried out.
	 *
	 * @param voting whether the node was voting
	 * @param fences the votes, one per name, or {@code null} without fencing
	 * @param permit the number of the permit, 0 for other kinds
	 */
	record Granted(boolean voting, long @Nullable [] fences, int permit) implements NodeReply {

		/**
		 * Create a reply that grants no permit.
		 * @param voting whether the node was voting
		 * @param fences the votes, one per name, or {@code null} without fencing
		 */
		public Granted(boolean voting, long @Nullable [] fences) {
			this(voting, fences, 0);
		}

	}

	/**
	 * An acquire or a renewal found another owner in the way of at least one name. An
	 * acquire has changed nothing then; a renewal has renewed the other names.
	 *
	 * @param voting whether the node was voting
	 * @param blockers what is in the way: one element per name of the command, or per
	 * permit; {@code null} where nothing is
	 * @param remainingMillis how long the others' keys live: of several names the
	 * longest, of permits the shortest; {@link #NO_EXPIRY} for a key that does not expire
	 * @param fences the stored fences, one per name; {@code null} without fencing and for
	 * a renewal
	 * @param rank how many claims wait in front; 0 for a renewal
	 */
	record Refused(boolean voting, List<@Nullable Blocker> blockers, long remainingMillis, long @Nullable [] fences,
			int rank) implements NodeReply {

		/**
		 * The remaining time of a key that does not expire: another client has written
		 * it, and no claim gets the lock until it is deleted.
		 */
		public static final long NO_EXPIRY = -1;

		/**
		 * Return whether nothing but cool-downs is in the way.
		 * @return whether none of the names is held
		 */
		public boolean coolingDown() {
			return this.blockers.stream().allMatch((blocker) -> blocker == null || blocker instanceof Blocker.Cooldown);
		}

	}

	/**
	 * What is in the way of an attempt on a node.
	 */
	sealed interface Blocker {

		/**
		 * An owner holds the name exclusively, or the permit.
		 *
		 * @param value the value of its key
		 */
		record Owner(String value) implements Blocker {
		}

		/**
		 * Readers hold the name.
		 *
		 * @param owners those whose leases last longest first, no more than some dozens
		 */
		record Readers(List<String> owners) implements Blocker {
		}

		/**
		 * The name cools down after its release: it has no holder, and no claim gets it
		 * before the cool-down ends.
		 */
		record Cooldown() implements Blocker {
		}

		/**
		 * An older claim waits for the name, which may be free.
		 *
		 * @param ticket the text of its ticket
		 */
		record Waiting(String ticket) implements Blocker {
		}

	}

	/**
	 * A raise, a renewal, a withdrawal or a forced release was carried out.
	 *
	 * @param voting whether the node was voting
	 */
	record Done(boolean voting) implements NodeReply {
	}

	/**
	 * A raise was not carried out: the attempt does not hold all names on this node.
	 *
	 * @param voting whether the node was voting
	 */
	record NotHeld(boolean voting) implements NodeReply {
	}

	/**
	 * A release was carried out, whether or not there was something to release.
	 *
	 * @param voting whether the node was voting
	 * @param waiting how many tickets wait for its names
	 */
	record Released(boolean voting, int waiting) implements NodeReply {
	}

	/**
	 * A request for release was passed on to the holders.
	 *
	 * @param voting whether the node was voting
	 * @param connections how many connections received it
	 */
	record PassedOn(boolean voting, int connections) implements NodeReply {
	}

	/**
	 * An inspection was carried out.
	 *
	 * @param voting whether the node was voting
	 * @param holders the holders of the name
	 * @param waiters the tickets of the claims that wait, the oldest first
	 * @param fence the stored fence, 0 if there is none; of permits the greatest
	 */
	record Inspected(boolean voting, List<Holder> holders, List<String> waiters, long fence) implements NodeReply {

		/**
		 * A holder of a name.
		 *
		 * @param owner the value of its key, or {@code null} while the name cools down
		 * @param kind how it is held
		 * @param permit the number of the permit, 0 for other kinds
		 * @param remainingMillis how long the key lives; {@link Refused#NO_EXPIRY} if it
		 * does not expire
		 */
		public record Holder(@Nullable String owner, LockTarget.Kind kind, int permit, long remainingMillis) {
		}

	}

	/**
	 * The command has no result.
	 *
	 * @param cause what happened to it
	 * @param message what went wrong, for people, without secrets
	 */
	record Failed(Cause cause, String message) implements NodeReply {

		@Override
		public boolean voting() {
			return false;
		}

		/**
		 * What happened to a command without a result.
		 */
		public enum Cause {

			/**
			 * The node replied with an error; what it did, if anything, does not count.
			 */
			ERROR,

			/**
			 * The connection ended before the reply: it may or may not have been carried
			 * out.
			 */
			CONNECTION_LOST,

			/**
			 * It never left this process: the node is down, or too many commands are
			 * pending.
			 */
			NOT_SENT

		}

	}

}
