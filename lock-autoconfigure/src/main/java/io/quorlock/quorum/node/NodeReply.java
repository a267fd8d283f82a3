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
	 * Stands for the owner of a name that cools down (R18): nobody holds it, and nobody
	 * gets it before the cool-down ends. No token of an owner has this value.
	 */
	String COOLDOWN = "~cooldown";

	/**
	 * Return whether the node was voting when the command was <em>sent</em>, for the run
	 * id then connected (R10).
	 * @return whether the reply counts towards majorities
	 */
	boolean voting();

	/**
	 * An acquire was carried out.
	 *
	 * @param voting whether the node was voting
	 * @param fences the votes, one per name, or {@code null} without fencing
	 */
	record Granted(boolean voting, long @Nullable [] fences) implements NodeReply {
	}

	/**
	 * An acquire or a renewal found at least one name held by another attempt. An acquire
	 * has changed nothing then; a renewal has renewed the other names.
	 *
	 * @param voting whether the node was voting
	 * @param owners one element per name of the command: the other attempt's token,
	 * {@link #COOLDOWN} for a name that cools down, or {@code null} where the name is
	 * free or held by this attempt
	 * @param remainingMillis how long the other attempts' keys live, the longest of them;
	 * {@link #NO_EXPIRY} for a key that does not expire
	 * @param coolingDown whether none of the names is held, but at least one cools down
	 * @param fences the stored fences, one per name; {@code null} without fencing and for
	 * a renewal
	 */
	record Refused(boolean voting, List<@Nullable String> owners, long remainingMillis, boolean coolingDown,
			long @Nullable [] fences) implements NodeReply {

		/**
		 * The remaining time of a key that does not expire: another client has written
		 * it, and nobody gets the lock until it is deleted.
		 */
		public static final long NO_EXPIRY = -1;

		/**
		 * Return a refusal that is cooling down if no other attempt is among the owners.
		 * @param voting whether the node was voting
		 * @param owners one element per name
		 * @param remainingMillis how long the keys live
		 * @param fences the stored fences, or {@code null}
		 * @return the refusal
		 */
		public static Refused of(boolean voting, List<@Nullable String> owners, long remainingMillis,
				long @Nullable [] fences) {
			boolean coolingDown = owners.stream().allMatch((owner) -> owner == null || owner.equals(COOLDOWN));
			return new Refused(voting, owners, remainingMillis, coolingDown, fences);
		}

	}

	/**
	 * A raise, a renewal or a forced release was carried out.
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
	 * @param listeners how many connections received the release message; 0 if unknown
	 */
	record Released(boolean voting, int listeners) implements NodeReply {
	}

	/**
	 * An inspection was carried out.
	 *
	 * @param voting whether the node was voting
	 * @param owner the owner's token, {@link #COOLDOWN}, or {@code null} if the name is
	 * free
	 * @param remainingMillis how long the key lives; {@link Refused#NO_EXPIRY} if it does
	 * not expire, 0 if the name is free
	 * @param coolingDown whether the name cools down
	 * @param fence the stored fence, 0 if there is none
	 */
	record Inspected(boolean voting, @Nullable String owner, long remainingMillis, boolean coolingDown,
			long fence) implements NodeReply {
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
