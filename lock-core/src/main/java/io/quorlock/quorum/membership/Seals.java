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

package io.quorlock.quorum.membership;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.Membership.RecordAction;

/**
 * The seals of the nodes of a group, as they were read last: the least version of a
 * layout that each node serves. Safe for use by several threads.
 * <p>
 * The nodes of a group get their first seal in two steps: all of them are marked, then
 * all of them are sealed. If one node is sealed, another with neither seal nor mark has
 * lost its memory; only such a node gets its former seal back.
 *
 * @since 0.1.0
 */
public final class Seals {

	private static final int NOTHING = -1;

	private static final int MARKED = -2;

	private static final Duration FRESH = Duration.ofSeconds(10);

	/** Ages come in whole seconds. */
	private static final Duration ROUNDING = Duration.ofSeconds(1);

	/**
	 * Tokens are at most a second ahead of the clock, and seals in whole seconds.
	 */
	private static final long LEAD_SECONDS = 2;

	private final Layout layout;

	private final @Nullable Reading[] readings;

	/** So many questions had been asked when it was noticed that a node has nothing. */
	private final long[] missedAt;

	/** The same of when it was noticed that a node is marked. */
	private final long[] markedAt;

	private long questions;

	private volatile List<Seals> before = List.of();

	Seals(Layout layout, int size) {
		this.layout = layout;
		this.readings = new Reading[size];
		this.missedAt = new long[size];
		this.markedAt = new long[size];
	}

	/**
	 * Return the layout of this instance.
	 * @return the layout
	 */
	public Layout layout() {
		return this.layout;
	}

	/**
	 * Number a question that is about to be sent to a node.
	 * @param nowNanos the monotonic time
	 * @return the question
	 */
	public synchronized Question ask(long nowNanos) {
		this.questions++;
		return new Question(this.questions, nowNanos);
	}

	/**
	 * A node reported its seal.
	 * @param node its index
	 * @param question what was asked
	 * @param seal the least version that it serves; -1 without a seal, -2 if it is marked
	 * @param sealedSeconds when it got the seal, by its clock
	 * @param ageSeconds for how long it has had the seal, by its clock
	 * @param leastNanos the lower bound of the monotonic time of the reply
	 */
	public synchronized void read(int node, Question question, int seal, long sealedSeconds, long ageSeconds,
			long leastNanos) {
		Reading before = this.readings[node];
		if (seal == NOTHING && (before == null || before.seal() != NOTHING)) {
			this.missedAt[node] = this.questions;
		}
		else if (seal == MARKED && (before == null || before.seal() != MARKED)) {
			this.markedAt[node] = this.questions;
		}
		long age = Duration.ofSeconds(ageSeconds).minus(ROUNDING).toNanos();
		boolean same = before != null && before.seal() == seal && before.sealedSeconds() == sealedSeconds;
		if (before != null && same) {
			age = Math.max(age, before.ageNanos(leastNanos)); // it does not get younger
		}
		this.readings[node] = new Reading(question, seal, sealedSeconds, age, leastNanos);
	}

	/**
	 * The connection to a node ended: it may lose its seal.
	 * @param node its index
	 */
	public synchronized void disconnected(int node) {
		this.readings[node] = null;
	}

	/** Decide what becomes of a node's record. */
	synchronized RecordAction action(int node) {
		Reading own = this.readings[node];
		if (own == null || own.seal() >= 0) {
			return (own != null) ? RecordAction.NONE : RecordAction.WAIT;
		}
		if (own.seal() == MARKED) {
			boolean all = Arrays.stream(this.readings)
				.allMatch((reading) -> reading != null && reading.seal() == MARKED);
			return (all || isSealedSinceMarked(node)) ? RecordAction.FOUND : RecordAction.WAIT;
		}
		if (Arrays.stream(this.readings).anyMatch((reading) -> reading != null && reading.seal() >= 0)) {
			return isKnown(node) ? RecordAction.JOIN : RecordAction.WAIT;
		}
		for (int i = 0; i < this.readings.length; i++) {
			if (i != node && !isAskedSinceMissed(node, this.readings[i])) {
				return RecordAction.WAIT;
			}
		}
		return RecordAction.MARK;
	}

	/**
	 * Return whether another node was sealed after this one was marked: then all of them
	 * are marked. A seal that was read before may be gone. It was, if an operator deleted
	 * the last one so that the group begins anew; and if this node were sealed before the
	 * others are marked, they would have lost their memory for good.
	 */
	private boolean isSealedSinceMarked(int node) {
		return Arrays.stream(this.readings)
			.anyMatch((reading) -> reading != null && reading.seal() >= 0
					&& reading.question().number() > this.markedAt[node]);
	}

	/**
	 * Return whether enough other nodes have reported their seals, since a node's record
	 * was missed, to know the seal that it may have had. Of any majority of sealed nodes,
	 * all that did not lose their records either have the seal, or got it back; so one of
	 * those that were asked has it if they are more than the rest can be.
	 */
	private boolean isKnown(int node) {
		int known = 0;
		for (Reading reading : this.readings) {
			known += (isAskedSinceMissed(node, reading) && reading.seal() >= 0) ? 1 : 0;
		}
		return known >= this.readings.length - this.readings.length / 2;
	}

	private boolean isAskedSinceMissed(int node, @Nullable Reading reading) {
		return reading != null && reading.question().number() > this.missedAt[node];
	}

	/**
	 * Return the seal to write with a record.
	 * @param node the index of the node
	 * @param action what is done about its record
	 * @return a version
	 */
	public synchronized int toWrite(int node, RecordAction action) {
		int seal = this.layout.seal();
		for (Reading reading : this.readings) {
			if (action == RecordAction.JOIN && reading != null && isAskedSinceMissed(node, reading)) {
				seal = Math.max(seal, reading.seal());
			}
		}
		return seal;
	}

	/**
	 * Names of other groups move to this one.
	 * @param before the seals of those groups
	 */
	public void follow(List<Seals> before) {
		this.before = List.copyOf(before);
	}

	/**
	 * Return when the groups were sealed whose names move to this one.
	 * @return seconds since 1970-01-01T00:00Z by the nodes' clocks, the last of the
	 * groups counting; 0 if there are none, or it is not known
	 */
	public long sealedBeforeSeconds() {
		return this.before.stream().mapToLong(Seals::sealedSeconds).max().orElse(0);
	}

	/**
	 * Return the greatest token that an instance of an older layout may have got for a
	 * name in the group where it was before. What this group stores of names may date
	 * from an earlier stay, or from a claim of both groups that was not the last.
	 * @return microseconds since 1970-01-01T00:00Z, 0 if names did not move
	 */
	public long greatestTokenBefore() {
		long sealed = Math.max(sealedSeconds(), sealedBeforeSeconds());
		return (sealed > 0) ? TimeUnit.SECONDS.toMicros(sealed + LEAD_SECONDS) : 0;
	}

	/** Return when a majority of the nodes had a seal, 0 if it is not known. */
	private synchronized long sealedSeconds() {
		long[] sealed = new long[this.readings.length];
		Arrays.fill(sealed, Long.MAX_VALUE);
		for (int i = 0; i < sealed.length; i++) {
			Reading reading = this.readings[i];
			if (reading != null && reading.seal() >= Math.max(1, this.layout.seal())) {
				sealed[i] = reading.sealedSeconds();
			}
		}
		Arrays.sort(sealed);
		long majority = sealed[sealed.length / 2];
		return (majority < Long.MAX_VALUE) ? majority : 0;
	}

	/**
	 * Return how long it takes until no lease of an older version than the seal can be
	 * held in this group, since a majority of its nodes has refused it for long enough.
	 * What was read too long ago does not count.
	 * @param nowNanos the monotonic time
	 * @param leastNanos its lower bound
	 * @return the time left; negative or 0 if there is none, {@link Long#MAX_VALUE} while
	 * too few nodes are known to be sealed
	 */
	public synchronized long waitNanos(long nowNanos, long leastNanos) {
		long age = this.layout.age().toNanos();
		long fresh = Math.min(age, FRESH.toNanos());
		long[] left = new long[this.readings.length];
		Arrays.fill(left, Long.MAX_VALUE);
		for (int i = 0; i < left.length; i++) {
			Reading reading = this.readings[i];
			if (reading != null && reading.seal() >= this.layout.seal()
					&& nowNanos - reading.question().sentNanos() < fresh) {
				left[i] = age - reading.ageNanos(leastNanos);
			}
		}
		Arrays.sort(left);
		return left[left.length / 2];
	}

	/**
	 * A question to a node.
	 *
	 * @param number its place among all questions
	 * @param sentNanos the monotonic time before it was sent
	 */
	public record Question(long number, long sentNanos) {
	}

	private record Reading(Question question, int seal, long sealedSeconds, long ageNanos, long leastNanos) {

		long ageNanos(long nowLeastNanos) {
			return this.ageNanos + (nowLeastNanos - this.leastNanos);
		}

	}

}
