package io.quorlock.quorum.node;

import org.jspecify.annotations.Nullable;

/**
 * What the engine asks of a node. One object serves all nodes of a round. Every command
 * takes effect on all of its names or on none, in one atomic step.
 *
 * @since 0.1.0
 */
public abstract sealed class NodeCommand {

	private final LockKeys keys;

	private final Attempt attempt;

	/** What a driver made of this command, to encode it once for all of its nodes. */
	private volatile @Nullable Object wireForm;

	private NodeCommand(LockKeys keys, Attempt attempt) {
		this.keys = keys;
		this.attempt = attempt;
	}

	/**
	 * The names and their keys.
	 * @return the keys
	 */
	public LockKeys keys() {
		return this.keys;
	}

	/**
	 * The attempt that this command belongs to.
	 * @return the attempt
	 */
	public Attempt attempt() {
		return this.attempt;
	}

	/**
	 * The operation, as metrics name it.
	 * @return the operation in lower case
	 */
	public abstract String operation();

	/**
	 * The encoded form that a driver left here.
	 * @return the form, or {@code null}
	 */
	public @Nullable Object wireForm() {
		return this.wireForm;
	}

	/**
	 * Leaves an encoded form for the next node of the same driver.
	 * @param wireForm the form
	 */
	public void wireForm(Object wireForm) {
		this.wireForm = wireForm;
	}

	@Override
	public String toString() {
		return operation() + " " + this.keys + " by " + this.attempt;
	}

	/**
	 * Lock all names if all are free (R1, R12) and vote for their fencing tokens:
	 * {@code f = max(stored + range, proposed)}, stored in the same step (R9). Answers
	 * {@link NodeReply.Outcome#OK} with the votes, or {@link NodeReply.Outcome#REFUSED}
	 * with the first taken name's owner and remaining time and the stored fences.
	 */
	public static final class Acquire extends NodeCommand {

		private final long leaseMillis;

		private final long @Nullable [] proposed;

		private final int range;

		private final long fenceMillis;

		/**
		 * Creates the command.
		 * @param keys what to lock
		 * @param attempt whose value to write
		 * @param leaseMillis the keys' time to live
		 * @param proposed a fencing token per name, or {@code null} without fencing
		 * @param range how many tokens the grant takes
		 * @param fenceMillis the fence keys' time to live
		 */
		public Acquire(LockKeys keys, Attempt attempt, long leaseMillis, long @Nullable [] proposed, int range,
				long fenceMillis) {
			super(keys, attempt);
			this.leaseMillis = leaseMillis;
			this.proposed = proposed;
			this.range = range;
			this.fenceMillis = fenceMillis;
		}

		public long leaseMillis() {
			return this.leaseMillis;
		}

		public long @Nullable [] proposed() {
			return this.proposed;
		}

		public int range() {
			return this.range;
		}

		public long fenceMillis() {
			return this.fenceMillis;
		}

		@Override
		public String operation() {
			return "acquire";
		}

	}

	/**
	 * Raise the fences to {@code max(stored, given)} where this attempt holds all names
	 * (R9, second round). Answers OK where it does, REFUSED elsewhere.
	 */
	public static final class Raise extends NodeCommand {

		private final long[] fences;

		private final long fenceMillis;

		/**
		 * Creates the command.
		 * @param keys what is locked
		 * @param attempt the holder
		 * @param fences the least fence per name
		 * @param fenceMillis the fence keys' time to live
		 */
		public Raise(LockKeys keys, Attempt attempt, long[] fences, long fenceMillis) {
			super(keys, attempt);
			this.fences = fences;
			this.fenceMillis = fenceMillis;
		}

		public long[] fences() {
			return this.fences;
		}

		public long fenceMillis() {
			return this.fenceMillis;
		}

		@Override
		public String operation() {
			return "raise";
		}

	}

	/**
	 * Give the keys a new time to live where this attempt holds them; where a name is
	 * free, lock it again; raise the fences to {@code max(stored, given)} (R6). Answers
	 * OK if this attempt holds all names afterwards, REFUSED if another holds one (then
	 * the names of this attempt are renewed all the same, and the other's is untouched).
	 */
	public static final class Renew extends NodeCommand {

		private final long leaseMillis;

		private final boolean shorten;

		private final long @Nullable [] fences;

		private final long fenceMillis;

		/**
		 * Creates the command.
		 * @param keys what is locked
		 * @param attempt the holder
		 * @param leaseMillis the new time to live
		 * @param shorten whether it may be less than what is left; otherwise the greater
		 * of the two stays
		 * @param fences the least fence per name, or {@code null} without fencing
		 * @param fenceMillis the fence keys' time to live
		 */
		public Renew(LockKeys keys, Attempt attempt, long leaseMillis, boolean shorten, long @Nullable [] fences,
				long fenceMillis) {
			super(keys, attempt);
			this.leaseMillis = leaseMillis;
			this.shorten = shorten;
			this.fences = fences;
			this.fenceMillis = fenceMillis;
		}

		public long leaseMillis() {
			return this.leaseMillis;
		}

		public boolean shorten() {
			return this.shorten;
		}

		public long @Nullable [] fences() {
			return this.fences;
		}

		public long fenceMillis() {
			return this.fenceMillis;
		}

		@Override
		public String operation() {
			return "renew";
		}

	}

	/**
	 * Delete the keys where this attempt holds them and announce it on their channels;
	 * with a cool-down, let them expire after it instead (R8, R18). Answers OK whether or
	 * not there was something to release.
	 */
	public static final class Release extends NodeCommand {

		private final long cooldownMillis;

		/**
		 * Creates the command.
		 * @param keys what was locked, or may have been
		 * @param attempt the holder
		 * @param cooldownMillis for how long the keys stay, 0 to delete them
		 */
		public Release(LockKeys keys, Attempt attempt, long cooldownMillis) {
			super(keys, attempt);
			this.cooldownMillis = cooldownMillis;
		}

		public long cooldownMillis() {
			return this.cooldownMillis;
		}

		@Override
		public String operation() {
			return "release";
		}

	}

	/**
	 * Tell who holds the first name, for how long, and its fence. Answers REFUSED with
	 * the owner if it is held, OK if it is free, with the stored fence in both.
	 */
	public static final class Inspect extends NodeCommand {

		/**
		 * Creates the command.
		 * @param keys the name to look at
		 */
		public Inspect(LockKeys keys) {
			super(keys, new Attempt(""));
		}

		@Override
		public String operation() {
			return "inspect";
		}

	}

	/**
	 * Delete the keys whoever holds them, and announce it. For operators. Answers OK.
	 */
	public static final class ForceRelease extends NodeCommand {

		/**
		 * Creates the command.
		 * @param keys the names to free
		 */
		public ForceRelease(LockKeys keys) {
			super(keys, new Attempt(""));
		}

		@Override
		public String operation() {
			return "force-release";
		}

	}

}
