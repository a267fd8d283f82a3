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
 * What is asked of a node. One object serves all nodes of a round. Every command takes
 * effect on all of its names or on none, in one atomic step.
 * <p>
 * The commands of an attempt are numbered in the order of their creation: create them in
 * the order in which they are submitted, and submit each to all of its nodes before the
 * next one.
 *
 * @since 0.1.0
 */
public sealed interface NodeCommand permits NodeCommand.Acquire, NodeCommand.Raise, NodeCommand.Renew,
		NodeCommand.Release, NodeCommand.Drop, NodeCommand.Withdraw, OperatorCommand {

	/**
	 * Return what all commands have.
	 * @return the header
	 */
	CommandHeader header();

	/**
	 * Return the operation, as metrics name it.
	 * @return the operation in lower case
	 */
	String operation();

	/**
	 * Call the visitor's method for this kind of command.
	 * @param visitor the visitor
	 * @param <R> the type of its result
	 * @return what it returns
	 */
	<R> R accept(CommandVisitor<R> visitor);

	/**
	 * Return what the command is about.
	 * @return the names, and how they are locked
	 */
	default LockTarget target() {
		return header().target;
	}

	/**
	 * Return the names of the locks, sorted, without duplicates.
	 * @return at least one name
	 */
	default List<String> names() {
		return header().target.names();
	}

	/**
	 * Return the attempt that this command belongs to.
	 * @return the attempt
	 */
	default Attempt attempt() {
		return header().attempt;
	}

	/**
	 * Return whether a driver may send this command once more behind whatever was sent
	 * since, when the server has not carried it out because a script was missing. True
	 * for the newest command of its attempt only, never for a renewal that may shorten
	 * the lease and, once a release is queued, for that release alone. To be asked while
	 * nothing else can be queued.
	 * @return whether it may be sent again
	 */
	default boolean isResendable() {
		return header().isNewest() && !attempt().isReleasing();
	}

	/**
	 * Return the encoded form that a driver left here.
	 * @return the form, or {@code null}
	 */
	default @Nullable Object encodedForm() {
		return header().encodedForm;
	}

	/**
	 * Keep an encoded form for the next node of the same driver.
	 * @param encodedForm the form
	 */
	default void encodedForm(Object encodedForm) {
		header().encodedForm = encodedForm;
	}

	/**
	 * Return what the command does, for people.
	 * @return the operation, the names and the owner
	 */
	default String describe() {
		return operation() + " " + target() + " by " + attempt();
	}

	/**
	 * Lock all names if all are free and no claim stands in front, and vote for their
	 * fencing tokens: {@code f = max(stored + range, proposed)}, stored in the same step;
	 * for a reader the range is 0. Of permits, the first free one is locked. The reply is
	 * {@link NodeReply.Granted} with the votes, or {@link NodeReply.Refused} with those
	 * in the way and the stored fences.
	 *
	 * @param header target and attempt
	 * @param leaseMillis the keys' time to live
	 * @param proposed a fencing token per name, or {@code null} without fencing
	 * @param range how many tokens the grant takes
	 * @param fenceMillis the fence keys' time to live
	 * @param ticket stands in the queue if the claim is refused, and is removed if it is
	 * granted; {@code null} for a claim that is behind all that wait
	 * @param hint which permit to try first, from 1 on
	 */
	record Acquire(CommandHeader header, long leaseMillis, long @Nullable [] proposed, int range, long fenceMillis,
			@Nullable Ticket ticket, int hint) implements NodeCommand {

		/**
		 * Create a command that locks names exclusively, without a ticket.
		 * @param names what to lock
		 * @param attempt whose value to write
		 * @param leaseMillis the keys' time to live
		 * @param proposed a fencing token per name, or {@code null} without fencing
		 * @param range how many tokens the grant takes
		 * @param fenceMillis the fence keys' time to live
		 */
		public Acquire(List<String> names, Attempt attempt, long leaseMillis, long @Nullable [] proposed, int range,
				long fenceMillis) {
			this(new CommandHeader(LockTarget.exclusive(names), attempt), leaseMillis, proposed, range, fenceMillis,
					null, 1);
		}

		@Override
		public String operation() {
			return "acquire";
		}

		@Override
		public <R> R accept(CommandVisitor<R> visitor) {
			return visitor.acquire(this);
		}

	}

	/**
	 * Raise the fences to {@code max(stored, given)} where this attempt holds all names
	 * (the second round). The reply is {@link NodeReply.Done}, or
	 * {@link NodeReply.NotHeld} where it does not.
	 *
	 * @param header target and attempt
	 * @param fences the least fence per name
	 * @param fenceMillis the fence keys' time to live
	 * @param permit the number of the permit, 0 for other kinds
	 */
	record Raise(CommandHeader header, long[] fences, long fenceMillis, int permit) implements NodeCommand {

		@Override
		public String operation() {
			return "raise";
		}

		@Override
		public <R> R accept(CommandVisitor<R> visitor) {
			return visitor.raise(this);
		}

	}

	/**
	 * Give the keys a new time to live where this attempt holds them; where a name is
	 * free, lock it again. The fences are raised to {@code max(stored, given)} where they
	 * are to be prolonged, or were lost like their lock or alone. A shared renewal turns
	 * a key that this attempt holds exclusively into a shared one. The reply is
	 * {@link NodeReply.Done} if this attempt holds all names afterwards, and
	 * {@link NodeReply.Refused} if another holds one: then the names of this attempt are
	 * renewed all the same, and the other's is untouched.
	 *
	 * @param header target and attempt
	 * @param leaseMillis the new time to live
	 * @param shorten whether it may be less than what is left; otherwise the greater of
	 * the two stays
	 * @param fences the least fence per name, or {@code null} without fencing
	 * @param fenceMillis the fence keys' time to live
	 * @param prolong whether the fence keys get that time to live even where nothing is
	 * lost
	 * @param permit the number of the permit, 0 for other kinds
	 */
	record Renew(CommandHeader header, long leaseMillis, boolean shorten, long @Nullable [] fences, long fenceMillis,
			boolean prolong, int permit) implements NodeCommand {

		/**
		 * Return whether it may be part of a {@link JointRenewal}: a renewal of one key
		 * that no holder asked for.
		 * @return whether it may share its command
		 */
		public boolean isJoinable() {
			return !this.shorten && names().size() == 1 && target().kind() != LockTarget.Kind.SHARED;
		}

		@Override
		public boolean isResendable() {
			return !this.shorten && NodeCommand.super.isResendable();
		}

		@Override
		public String operation() {
			return "renew";
		}

		@Override
		public <R> R accept(CommandVisitor<R> visitor) {
			return visitor.renew(this);
		}

	}

	/**
	 * Delete the keys where this attempt holds them, and offer what is free to the first
	 * claim that waits; with a cool-down, let them expire after it instead, without a
	 * holder. A shared lock is free when its last reader has left. The reply is
	 * {@link NodeReply.Released}.
	 *
	 * @param header target and attempt
	 * @param cooldownMillis for how long the keys stay, 0 to delete them
	 * @param ticket is put into the queue before anything is offered, or {@code null}
	 * @param failed whether the ticket is that of the same claim, whose round failed, so
	 * that what it frees is not offered to itself; otherwise it is that of the next claim
	 * of the instance
	 */
	record Release(CommandHeader header, long cooldownMillis, @Nullable Ticket ticket,
			boolean failed) implements NodeCommand {

		/**
		 * Create a command without a ticket.
		 * @param header target and attempt
		 * @param cooldownMillis for how long the keys stay, 0 to delete them
		 */
		public Release(CommandHeader header, long cooldownMillis) {
			this(header, cooldownMillis, null, false);
		}

		/**
		 * Create a command that releases exclusive locks.
		 * @param names what was locked, or may have been
		 * @param attempt the holder
		 * @param cooldownMillis for how long the keys stay, 0 to delete them
		 */
		public Release(List<String> names, Attempt attempt, long cooldownMillis) {
			this(new CommandHeader(LockTarget.exclusive(names), attempt), cooldownMillis);
		}

		@Override
		public boolean isResendable() {
			return header().isNewest();
		}

		@Override
		public String operation() {
			return "release";
		}

		@Override
		public <R> R accept(CommandVisitor<R> visitor) {
			return visitor.release(this);
		}

	}

	/**
	 * Release the permits that this attempt got beside the one that it was granted. The
	 * reply is {@link NodeReply.Released}.
	 *
	 * @param header target and attempt
	 * @param permit the permit to keep
	 */
	record Drop(CommandHeader header, int permit) implements NodeCommand {

		@Override
		public String operation() {
			return "drop";
		}

		@Override
		public <R> R accept(CommandVisitor<R> visitor) {
			return visitor.drop(this);
		}

	}

	/**
	 * Remove the ticket of a claim that was granted or ended, and offer what is free to
	 * the next one. The reply is {@link NodeReply.Done}.
	 *
	 * @param header target and attempt
	 * @param ticket the text of the ticket
	 */
	record Withdraw(CommandHeader header, String ticket) implements NodeCommand {

		@Override
		public String operation() {
			return "withdraw";
		}

		@Override
		public <R> R accept(CommandVisitor<R> visitor) {
			return visitor.withdraw(this);
		}

	}

}
