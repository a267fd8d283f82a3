package io.quorlock.quorum.node;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What is asked of a node. One object serves all nodes of a round. Every command takes
 * effect on all of its names or on none, in one atomic step.
 * <p>
 * The commands of an attempt are numbered in the order of their creation: create them in
 * the order in which they are submitted, and submit each to all of its nodes before the
 * next one.
 *
 * @since 0.1.0
 */
public abstract sealed class NodeCommand {

	private final List<String> names;

	private final Attempt attempt;

	private final int number;

	/** What a driver made of this command, to encode it once for all of its nodes. */
	private volatile @Nullable Object wireForm;

	private NodeCommand(List<String> names, Attempt attempt) {
		this.names = names;
		this.attempt = attempt;
		this.number = attempt.nextNumber();
	}

	/**
	 * Return the names of the locks, sorted, without duplicates.
	 * @return at least one name
	 */
	public List<String> names() {
		return this.names;
	}

	/**
	 * Return the attempt that this command belongs to.
	 * @return the attempt
	 */
	public Attempt attempt() {
		return this.attempt;
	}

	/**
	 * Return whether a driver may send this command once more behind whatever was sent
	 * since, when the server has not carried it out because a script was missing (R3).
	 * True for the newest command of its attempt only, never for a renewal that may
	 * shorten the lease and, once a release is queued, for that release alone. To be
	 * asked while nothing else can be queued.
	 * @return whether it may be sent again
	 */
	public boolean isResendable() {
		return this.attempt.isNewest(this.number) && !this.attempt.isReleasing();
	}

	boolean isNewest() {
		return this.attempt.isNewest(this.number);
	}

	/**
	 * Return the operation, as metrics name it.
	 * @return the operation in lower case
	 */
	public abstract String operation();

	/**
	 * Call the visitor's method for this kind of command.
	 * @param visitor the visitor
	 * @param <R> the type of its result
	 * @return what it returns
	 */
	public abstract <R> R accept(Visitor<R> visitor);

	/**
	 * Return the encoded form that a driver left here.
	 * @return the form, or {@code null}
	 */
	public @Nullable Object wireForm() {
		return this.wireForm;
	}

	/**
	 * Keep an encoded form for the next node of the same driver.
	 * @param wireForm the form
	 */
	public void wireForm(Object wireForm) {
		this.wireForm = wireForm;
	}

	@Override
	public String toString() {
		return operation() + " " + String.join(",", this.names) + " by " + this.attempt;
	}

	/**
	 * Has one method for each kind of command.
	 *
	 * @param <R> the type of the result
	 */
	public interface Visitor<R> {

		R acquire(Acquire command);

		R raise(Raise command);

		R renew(Renew command);

		R release(Release command);

		R inspect(Inspect command);

		R forceRelease(ForceRelease command);

	}

	/**
	 * Lock all names if all are free (R1, R12) and vote for their fencing tokens:
	 * {@code f = max(stored + range, proposed)}, stored in the same step (R9). The reply
	 * is {@link NodeReply.Granted} with the votes, or {@link NodeReply.Refused} with the
	 * owners and the stored fences.
	 */
	public static final class Acquire extends NodeCommand {

		private final long leaseMillis;

		private final long @Nullable [] proposed;

		private final int range;

		private final long fenceMillis;

		/**
		 * Create a new command.
		 * @param names what to lock
		 * @param attempt whose value to write
		 * @param leaseMillis the keys' time to live
		 * @param proposed a fencing token per name, or {@code null} without fencing
		 * @param range how many tokens the grant takes
		 * @param fenceMillis the fence keys' time to live
		 */
		public Acquire(List<String> names, Attempt attempt, long leaseMillis, long @Nullable [] proposed, int range,
				long fenceMillis) {
			super(names, attempt);
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

		@Override
		public <R> R accept(Visitor<R> visitor) {
			return visitor.acquire(this);
		}

	}

	/**
	 * Raise the fences to {@code max(stored, given)} where this attempt holds all names
	 * (R9, second round). The reply is {@link NodeReply.Done}, or
	 * {@link NodeReply.NotHeld} where it does not.
	 */
	public static final class Raise extends NodeCommand {

		private final long[] fences;

		private final long fenceMillis;

		/**
		 * Create a new command.
		 * @param names what is locked
		 * @param attempt the holder
		 * @param fences the least fence per name
		 * @param fenceMillis the fence keys' time to live
		 */
		public Raise(List<String> names, Attempt attempt, long[] fences, long fenceMillis) {
			super(names, attempt);
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

		@Override
		public <R> R accept(Visitor<R> visitor) {
			return visitor.raise(this);
		}

	}

	/**
	 * Give the keys a new time to live where this attempt holds them; where a name is
	 * free, lock it again; raise the fences to {@code max(stored, given)} (R6). The reply
	 * is {@link NodeReply.Done} if this attempt holds all names afterwards, and
	 * {@link NodeReply.Refused} if another holds one: then the names of this attempt are
	 * renewed all the same, and the other's is untouched.
	 */
	public static final class Renew extends NodeCommand {

		private final long leaseMillis;

		private final boolean shorten;

		private final long @Nullable [] fences;

		private final long fenceMillis;

		/**
		 * Create a new command.
		 * @param names what is locked
		 * @param attempt the holder
		 * @param leaseMillis the new time to live
		 * @param shorten whether it may be less than what is left; otherwise the greater
		 * of the two stays
		 * @param fences the least fence per name, or {@code null} without fencing
		 * @param fenceMillis the fence keys' time to live
		 */
		public Renew(List<String> names, Attempt attempt, long leaseMillis, boolean shorten, long @Nullable [] fences,
				long fenceMillis) {
			super(names, attempt);
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

		@Override
		public boolean isResendable() {
			return !this.shorten && super.isResendable();
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

		@Override
		public <R> R accept(Visitor<R> visitor) {
			return visitor.renew(this);
		}

	}

	/**
	 * Delete the keys where this attempt holds them and announce it on their channels;
	 * with a cool-down, let them expire after it instead (R8, R18), held by nobody. The
	 * reply is {@link NodeReply.Released}.
	 */
	public static final class Release extends NodeCommand {

		private final long cooldownMillis;

		/**
		 * Create a new command.
		 * @param names what was locked, or may have been
		 * @param attempt the holder
		 * @param cooldownMillis for how long the keys stay, 0 to delete them
		 */
		public Release(List<String> names, Attempt attempt, long cooldownMillis) {
			super(names, attempt);
			this.cooldownMillis = cooldownMillis;
		}

		public long cooldownMillis() {
			return this.cooldownMillis;
		}

		@Override
		public boolean isResendable() {
			return isNewest();
		}

		@Override
		public String operation() {
			return "release";
		}

		@Override
		public <R> R accept(Visitor<R> visitor) {
			return visitor.release(this);
		}

	}

	/**
	 * Return who holds a name, for how long, and its fence. The reply is
	 * {@link NodeReply.Inspected}.
	 */
	public static final class Inspect extends NodeCommand {

		/**
		 * Create a new command.
		 * @param name the lock
		 */
		public Inspect(String name) {
			super(List.of(name), new Attempt(""));
		}

		@Override
		public String operation() {
			return "inspect";
		}

		@Override
		public <R> R accept(Visitor<R> visitor) {
			return visitor.inspect(this);
		}

	}

	/**
	 * Delete the keys whoever holds them, and announce it. For operators. The reply is
	 * {@link NodeReply.Done}.
	 */
	public static final class ForceRelease extends NodeCommand {

		/**
		 * Create a new command.
		 * @param names the names to free
		 */
		public ForceRelease(List<String> names) {
			super(names, new Attempt(""));
		}

		@Override
		public String operation() {
			return "force-release";
		}

		@Override
		public <R> R accept(Visitor<R> visitor) {
			return visitor.forceRelease(this);
		}

	}

}
