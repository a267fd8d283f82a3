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

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * One attempt to lock: the owner value that its commands write and compare. Fresh for
 * every attempt, so that a late release of one cannot delete the key of the next.
 * <p>
 * The commands of an attempt are numbered in the order of their creation, so that a
 * driver knows which of them is the newest.
 *
 * @since 0.1.0
 */
public final class Attempt {

	private static final AtomicIntegerFieldUpdater<Attempt> COMMANDS = AtomicIntegerFieldUpdater
		.newUpdater(Attempt.class, "commands");

	/**
	 * What the counter of an owner begins with if its lease may be kept while it is
	 * unused.
	 */
	public static final String RETAINABLE = "r";

	/** Of the owner: the counter stands behind it, if there is one. */
	private final String prefix;

	private final long counter;

	private final long unconfirmedMicros;

	private volatile int commands;

	private volatile boolean releasing;

	/**
	 * Create a new attempt.
	 * @param owner the value of its keys
	 */
	public Attempt(String owner) {
		this(owner, -1, 0);
	}

	/**
	 * Create a new attempt, perhaps before any node has told its time. The owner is not
	 * kept, since leases are held by the thousands.
	 * @param prefix the owner value without its counter
	 * @param counter the counter, or -1 for none
	 * @param unconfirmedMicros the wall clock of this machine in microseconds since 1970,
	 * if the tokens that the attempt proposes are taken from it; 0 if they are taken from
	 * the nodes' clocks
	 */
	public Attempt(String prefix, long counter, long unconfirmedMicros) {
		this.prefix = prefix;
		this.counter = counter;
		this.unconfirmedMicros = unconfirmedMicros;
	}

	/**
	 * Return the value of the lock key: {@code <instance-id>:<random>:<counter>}.
	 * @return the owner
	 */
	public String owner() {
		return (this.counter >= 0) ? this.prefix + this.counter : this.prefix;
	}

	/**
	 * Return whether an owner is that of this attempt, without making the text.
	 * @param owner that of this or another attempt
	 * @return whether it is
	 */
	public boolean isOf(String owner) {
		int from = this.prefix.length();
		if (this.counter < 0 || from == owner.length() || !owner.startsWith(this.prefix)) {
			return owner.equals(owner());
		}
		long number = 0;
		for (int i = from; i < owner.length(); i++) {
			number = number * 10 + (owner.charAt(i) - '0');
		}
		return number == this.counter && owner.equals(owner());
	}

	/**
	 * Return the wall clock of this machine when the attempt was created, if no node had
	 * told its time by then. A driver does not send what the attempt proposes to a node
	 * whose clock differs from it by days.
	 * @return microseconds since 1970; 0 if the nodes' clocks were known
	 */
	public long unconfirmedMicros() {
		return this.unconfirmedMicros;
	}

	/**
	 * Return whether the lease of an owner may be kept while it is unused: a claim that
	 * is refused because of it asks for it.
	 * @param owner that of this or another attempt
	 * @return whether the owner says so
	 */
	public static boolean isRetainable(String owner) {
		int counter = owner.lastIndexOf(':') + 1;
		return counter > 0 && owner.startsWith(RETAINABLE, counter);
	}

	/**
	 * Return which channel an instance listens to.
	 * @param owner an owner of the instance
	 * @return what stands before the last colon, or an empty string
	 */
	public static String channelOf(String owner) {
		return owner.substring(0, Math.max(0, owner.lastIndexOf(':')));
	}

	/**
	 * Return whether a release of this attempt has been queued, or is about to be. From
	 * then on a driver must not send any other command of the attempt again.
	 * @return whether the attempt is over
	 */
	public boolean isReleasing() {
		return this.releasing;
	}

	/**
	 * Mark the attempt as over. To be called before the release is submitted.
	 */
	public void releasing() {
		this.releasing = true;
	}

	int nextNumber() {
		return COMMANDS.incrementAndGet(this);
	}

	boolean isNewest(int number) {
		return this.commands == number;
	}

	@Override
	public String toString() {
		return owner();
	}

}
