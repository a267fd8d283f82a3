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

package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.store.Contender;
import io.quorlock.store.ReleaseResult;

/**
 * What follows the end of a lease in this process: the next requests of its queues get
 * the lease itself (R17), or the next one asks the store behind the release.
 */
final class Succession {

	private final LockEngine engine;

	Succession(LockEngine engine) {
		this.engine = engine;
	}

	/** Hand a lease over to the next requests, if it may be (R17). */
	boolean handOver(HeldLease lease) {
		if (!lease.retainable && !this.engine.queues.hasWaiters(lease.names().get(0))) {
			return false;
		}
		int turns = lease.tokens().next();
		while (lease.tokens().has(turns) && this.engine.queues.hasWaiters(lease.names().get(0))
				&& lease.tenure().mayPass() && this.engine.isRunning() && lease.tokens().passOn()) {
			List<Acquisition> next = this.engine.queues.takeNext(lease, (waiter) -> suits(waiter, lease));
			if (next.isEmpty()) {
				return false;
			}
			if (pass(lease, next, turns)) {
				return true;
			}
			turns = lease.tokens().next();
		}
		return false;
	}

	private static boolean suits(Acquisition waiter, HeldLease lease) {
		return Tenure.isPassable(waiter.call.request) && waiter.permits() == lease.permits();
	}

	/**
	 * Begin the next turn of a lease, with the next token (R9): readers have one that is
	 * greater than that of every writer before, and less than that of every writer after
	 * them (R19).
	 * @return whether the lease has a holder now
	 */
	private static boolean pass(HeldLease lease, List<Acquisition> next, int turnNumber) {
		// Before the next holder's code can close its handle.
		if (next.get(0).mode() == LockMode.EXCLUSIVE) {
			Acquisition writer = next.get(0);
			Holder holder = new Holder(writer.call, turnNumber);
			Turn turn = Turn.of(LockMode.EXCLUSIVE, holder);
			lease.passTo(turn);
			boolean taken = writer.take(new Handle(lease, holder));
			if (taken) {
				writer.dismiss(lease);
			}
			return taken || !turn.leave(holder);
		}
		Map<Acquisition, Holder> readers = new LinkedHashMap<>();
		next.forEach((reader) -> readers.put(reader, new Holder(reader.call, turnNumber)));
		Turn turn = Turn.of(readers.values());
		lease.passTo(turn);
		readers.forEach((reader, holder) -> {
			if (!reader.take(new Handle(lease, holder))) {
				turn.leave(holder); // it was cancelled meanwhile
			}
		});
		return !turn.begun();
	}

	/** Keep a lease behind its last holder, if it may be (R24). */
	boolean retain(HeldLease lease, Holder left) {
		if (!lease.retainable) {
			return false;
		}
		Duration time = lease.tenure().behind(left);
		// Readers are not asked for what they share, also after a downgrade.
		if (time.isZero() || lease.mode() == LockMode.SHARED || !lease.isHeld()) {
			return false;
		}
		lease.tenure().idle(time, () -> giveUp(lease));
		if (!lease.retain()) {
			return false;
		}
		// A request that asked or queued up just now found it in use, as did the timer.
		if (lease.tenure().wanted || lease.tenure().isIdleTimeOver()) {
			giveUp(lease);
		}
		else if (this.engine.queues.hasWaiters(lease.names().get(0))) {
			offer(lease);
		}
		return true;
	}

	/** Hand an unused lease to the requests that wait for it, or release it. */
	void offer(HeldLease lease) {
		if (lease.resume()) {
			handOverOrRelease(lease);
		}
	}

	private void handOverOrRelease(HeldLease lease) {
		if (!handOver(lease) && lease.end()) {
			release(lease, Duration.ZERO);
		}
	}

	/** Release a lease if it is unused; {@code false} if it is used, or has ended. */
	boolean giveUp(HeldLease lease) {
		boolean unused = lease.endUnused();
		if (unused) {
			release(lease, Duration.ZERO);
		}
		return unused;
	}

	/**
	 * Take a lease that is unused (R24), or share that of other readers (R19). The queue
	 * of the name is locked.
	 * @return what hands it to the request, or null if the request may not have it
	 */
	@Nullable Runnable join(HeldLease lease, Acquisition acquisition) {
		if (acquisition.call.request.isRetainable() && lease.take(acquisition)) {
			return () -> resume(lease, acquisition);
		}
		return acquisition.isSharable() ? share(lease, acquisition) : null;
	}

	private static @Nullable Runnable share(HeldLease lease, Acquisition reader) {
		Turn readers = lease.sharable();
		if (readers == null) {
			return null;
		}
		// With the token of the holders before, one of which may have been a writer.
		Holder holder = new Holder(reader.call, readers.number());
		return lease.join(readers, holder) ? () -> takeShare(reader, lease, holder) : null;
	}

	private static void takeShare(Acquisition reader, HeldLease lease, Holder holder) {
		Handle handle = new Handle(lease, holder);
		if (!reader.take(handle)) { // it was cancelled meanwhile
			holder.end(); // and is not reported as a hold
			handle.closeAsync();
		}
	}

	/** Give an unused lease to a request that took it. */
	private void resume(HeldLease lease, Acquisition next) {
		int turnNumber = lease.tokens().next();
		lease.tokens().whenKnown(turnNumber, (there) -> {
			if (!there || !lease.tokens().passOn()) {
				askBehind(lease, next);
			}
			else if (!pass(lease, List.of(next), turnNumber)) {
				handOverOrRelease(lease); // it was cancelled meanwhile
				next.dismiss(null);
			}
		});
	}

	/** A request that took a lease which cannot serve it asks behind its release. */
	private void askBehind(HeldLease lease, Acquisition next) {
		if (!lease.end()) {
			next.enterAgain();
			return;
		}
		this.engine.queues.replace(lease, next);
		Contender contender = next.prepare();
		this.engine.store.release(lease.grant, Duration.ZERO, contender);
		if (contender == null) { // it was cancelled meanwhile
			LocalQueues.run(this.engine.queues.leave(next));
			next.dismiss(null);
		}
	}

	/** Release a lease, and let the next request ask. */
	CompletionStage<?> release(HeldLease lease, Duration cooldown) {
		List<Acquisition> admitted = this.engine.queues.leave(lease);
		CompletionStage<ReleaseResult> released = admitted.isEmpty()
				? this.engine.store.release(lease.grant, cooldown, null) : releaseFor(admitted, lease, cooldown);
		return this.engine.settings.confirmingReleases() ? released : CompletableFuture.completedFuture(null);
	}

	/** The first of the requests asks behind the release. */
	private CompletionStage<ReleaseResult> releaseFor(List<Acquisition> waiters, HeldLease lease, Duration cooldown) {
		Deque<Acquisition> admitted = new ArrayDeque<>(waiters);
		List<Acquisition> others = new ArrayList<>(0);
		List<Acquisition> cancelled = new ArrayList<>(0);
		Contender next = null;
		while (!admitted.isEmpty()) {
			Acquisition waiter = admitted.poll();
			if (next != null) {
				others.add(waiter);
				continue;
			}
			next = waiter.prepare();
			if (next == null) { // cancelled as its turn came
				admitted.addAll(this.engine.queues.leave(waiter));
				cancelled.add(waiter);
			}
		}
		CompletionStage<ReleaseResult> released = this.engine.store.release(lease.grant, cooldown, next);
		LocalQueues.run(others);
		// Behind the release, since their followers ask by themselves.
		cancelled.forEach((waiter) -> waiter.dismiss(null));
		return released;
	}

	/** Let readers of this process share the lease (R19). */
	void shared(HeldLease lease) {
		// All of them first: one that cannot share after all goes back into the queue.
		List<Acquisition> readers = this.engine.queues.takeNext(lease, Acquisition::isSharable);
		readers.forEach((reader) -> Trampoline.run(() -> {
			Runnable sharing = join(lease, reader);
			if (sharing != null) {
				sharing.run();
			}
			else {
				reader.enterLater();
			}
		}));
		admitBeside(lease);
	}

	/** Let others ask for leases beside this one, which is shared by now. */
	void admitBeside(HeldLease lease) {
		LocalQueues.run(this.engine.queues.admitBeside(lease));
	}

}
