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

package io.quorlock.system;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;

/**
 * Who asks for which lock, and who is told to hold it: what a witness outside of the
 * instances knows of {@link RandomSequencesTests}, and what contradicts it.
 */
final class Occupation {

	/** How long an end may take for which nobody waited. */
	private static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final String seized;

	private final Map<String, Place> places = new ConcurrentHashMap<>();

	private final Queue<String> violations = new ConcurrentLinkedQueue<>();

	/**
	 * Create the witness.
	 * @param seized a name that is released by force, so that others may get it before
	 * its holder is told
	 */
	Occupation(String seized) {
		this.seized = seized;
	}

	/**
	 * Begin a claim.
	 * @param owner the caller: it may re-enter what it holds
	 * @param kind of the call, for messages
	 * @param scope the instance, if instances do not exclude each other
	 * @param request what is asked for
	 * @param undisturbedSince whether the instance was not stopped since a time
	 * @return the claim, which has to be ended
	 */
	Claim claim(Object owner, String kind, String scope, LockRequest request, LongPredicate undisturbedSince) {
		return new Claim(owner, kind, scope, request, undisturbedSince);
	}

	void violated(String text) {
		this.violations.add(text);
	}

	List<String> violations() {
		return List.copyOf(this.violations);
	}

	/** What was entered, and not left. */
	List<Hold> holds() {
		return this.places.values().stream().flatMap((place) -> place.holds().stream()).toList();
	}

	/** Whether a lock that the owner holds may be lost. */
	boolean mayEndFor(Object owner) {
		return this.places.values().stream().anyMatch((place) -> place.mayEndFor(owner));
	}

	private Place place(String scope, String name) {
		return this.places.computeIfAbsent(scope + name, (key) -> new Place(name.equals(this.seized)));
	}

	/** A request, from the call until what it was granted is released. */
	final class Claim {

		final LockRequest request;

		final long startNanos = System.nanoTime();

		private final Object owner;

		private final String kind;

		private final String scope;

		private final LongPredicate undisturbedSince;

		private final List<Place> places;

		private final boolean ending;

		private volatile @Nullable Long endNanos;

		Claim(Object owner, String kind, String scope, LockRequest request, LongPredicate undisturbedSince) {
			this.owner = owner;
			this.kind = kind;
			this.scope = scope;
			this.request = request;
			this.undisturbedSince = undisturbedSince;
			this.places = request.names().stream().map((name) -> place(scope, name)).toList();
			this.ending = request.leaseTime() != null
					|| this.places.stream().anyMatch((place) -> place.seized || place.mayEndFor(owner));
			this.places.forEach((place) -> place.add(this));
		}

		/** The owner is told that it holds the lock. */
		List<Hold> granted(LockHandle handle) {
			if (handle.permit() > this.request.permits()) {
				violated("There is no permit " + handle.permit() + " for " + this);
			}
			List<Hold> holds = new ArrayList<>();
			for (String name : handle.names()) {
				Hold hold = new Hold(this, place(this.scope, name), handle, handle.fencingToken(name));
				hold.place.enter(hold).forEach(Occupation.this::violated);
				holds.add(hold);
			}
			return holds;
		}

		boolean isUndisturbed() {
			return this.undisturbedSince.test(this.startNanos);
		}

		/**
		 * Whether its lock may be lost though no server fails: it has a fixed lease, or
		 * is seized or stopped, or re-enters such.
		 */
		boolean mayEnd() {
			return this.ending || !isUndisturbed();
		}

		/** Whether the owner holds one of the names already. */
		boolean isReentry() {
			return this.places.stream().anyMatch((place) -> place.isHeldBy(this.owner));
		}

		/** Whether others asked for it meanwhile, so that it may be refused. */
		boolean isContended() {
			int enough = Math.max(1, this.request.permits());
			return this.places.stream().anyMatch((place) -> place.contenders(this) >= enough);
		}

		/**
		 * End it.
		 * @param settled whether it is known to have left nothing that others could meet
		 */
		void end(boolean settled) {
			this.endNanos = System.nanoTime() + (settled ? 0 : SETTLING_NANOS);
		}

		boolean hasEndedBefore(long nanos) {
			Long end = this.endNanos;
			return end != null && end - nanos < 0;
		}

		boolean isShared() {
			return this.request.mode() == LockMode.SHARED;
		}

		long elapsedNanos() {
			return System.nanoTime() - this.startNanos;
		}

		@Override
		public String toString() {
			return this.kind + " " + this.scope + this.request + " of " + this.owner;
		}

	}

	/** One name that somebody was told to hold. */
	static final class Hold {

		private final Claim claim;

		private final Place place;

		private final LockHandle handle;

		private final long token;

		private volatile boolean kept;

		Hold(Claim claim, Place place, LockHandle handle, long token) {
			this.claim = claim;
			this.place = place;
			this.handle = handle;
			this.token = token;
		}

		/** Its handle is closed, but a transaction keeps it. */
		void keep() {
			this.kept = true;
		}

		void leave() {
			this.place.leave(this);
		}

		private boolean isHeld() {
			return this.kept ? !this.claim.mayEnd() : this.handle.isHeld();
		}

		private boolean isWriter() {
			return this.handle.mode() == LockMode.EXCLUSIVE;
		}

		/** Re-entered: the same grant. */
		private boolean isOneWith(Hold other) {
			return this.claim.owner == other.claim.owner && this.token == other.token;
		}

		@Override
		public String toString() {
			return "token " + this.token + (this.kept ? " kept by a transaction for " : " for ") + this.claim;
		}

	}

	/** One name. */
	private static final class Place {

		private final boolean seized;

		private final List<Hold> holds = new ArrayList<>();

		private final List<Claim> claims = new ArrayList<>();

		/** Greatest token of a writer, by permit. */
		private final Map<Integer, Long> writers = new HashMap<>();

		private long readers;

		Place(boolean seized) {
			this.seized = seized;
		}

		synchronized List<Hold> holds() {
			return List.copyOf(this.holds);
		}

		synchronized boolean isHeldBy(Object owner) {
			return this.holds.stream().anyMatch((hold) -> hold.claim.owner == owner);
		}

		synchronized boolean mayEndFor(Object owner) {
			return this.holds.stream().anyMatch((hold) -> hold.claim.owner == owner && hold.claim.mayEnd());
		}

		synchronized void add(Claim claim) {
			this.claims.removeIf((other) -> other.hasEndedBefore(claim.startNanos - 60 * SETTLING_NANOS));
			this.claims.add(claim);
		}

		synchronized long contenders(Claim claim) {
			return this.claims.stream()
				.filter((other) -> other != claim && !(other.isShared() && claim.isShared())
						&& !other.hasEndedBefore(claim.startNanos))
				.count();
		}

		/** Return what is wrong with it. */
		synchronized List<String> enter(Hold hold) {
			List<String> wrong = new ArrayList<>();
			if (this.seized) {
				this.holds.add(hold);
				return wrong;
			}
			int permit = hold.handle.permit();
			boolean writer = hold.isWriter();
			boolean entered = this.holds.stream().anyMatch(hold::isOneWith);
			for (Hold other : this.holds) {
				// In this order: who holds it now held it when its mode was read.
				if (other.handle.permit() == permit && (other.isWriter() || writer) && !other.isOneWith(hold)
						&& other.isHeld() && hold.isHeld()) {
					wrong.add("Two hold it: " + other + " and " + hold);
				}
			}
			long last = this.writers.getOrDefault(permit, 0L);
			boolean increased = writer ? hold.token > Math.max(last, this.readers) : hold.token >= last;
			if (!increased && !entered && hold.isHeld()) {
				wrong.add("Tokens up to %d of writers and %d of readers came before %s".formatted(last, this.readers,
						hold));
			}
			if (writer) {
				this.writers.merge(permit, hold.token, Math::max);
			}
			else {
				this.readers = Math.max(this.readers, hold.token);
			}
			this.holds.add(hold);
			return wrong;
		}

		synchronized void leave(Hold hold) {
			this.holds.remove(hold);
		}

	}

}
