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
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.store.Contender;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.ReleaseResult;

/**
 * What follows the end of a lease in this process: the next requests of its queues get
 * the lease itself (R17), or the next one asks the store behind the release.
 */
final class Succession implements Successor<HeldLease> {

	private final LeaseStore store;

	private final LocalQueues queues;

	private final EngineSettings settings;

	private final BooleanSupplier running;

	Succession(LeaseStore store, LocalQueues queues, EngineSettings settings, BooleanSupplier running) {
		this.store = store;
		this.queues = queues;
		this.settings = settings;
		this.running = running;
	}

	@Override
	public boolean handOver(HeldLease lease) {
		int turns = lease.tokens().next();
		while (lease.tokens().has(turns) && this.queues.hasWaiters(lease.names().get(0)) && lease.tenure().mayPass()
				&& this.running.getAsBoolean() && lease.tokens().passOn()) {
			List<LocalQueue.Waiter> next = this.queues.takeNext(lease, (waiter) -> suits(waiter, lease));
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

	private static boolean suits(LocalQueue.Waiter waiter, HeldLease lease) {
		return waiter instanceof Acquisition acquisition && HandOvers.suits(acquisition.caller().request())
				&& waiter.permits() == lease.permits();
	}

	/**
	 * Begin the next turn of a lease, with the next token (R9): readers have one that is
	 * greater than that of every writer before, and less than that of every writer after
	 * them (R19).
	 * @return whether the lease has a holder now
	 */
	private static boolean pass(HeldLease lease, List<LocalQueue.Waiter> next, int generation) {
		// Before the next holder's code can close its handle.
		if (next.get(0).mode() == LockMode.EXCLUSIVE) {
			Acquisition writer = (Acquisition) next.get(0);
			Holder holder = writer.holder(generation);
			Turn turn = Turn.of(LockMode.EXCLUSIVE, holder);
			lease.passTo(turn);
			boolean taken = writer.take(new Handle(lease, holder));
			if (taken) {
				writer.dismiss(lease);
			}
			return taken || !turn.leave(holder);
		}
		Map<Acquisition, Holder> readers = new LinkedHashMap<>();
		next.forEach((waiter) -> readers.put((Acquisition) waiter, ((Acquisition) waiter).holder(generation)));
		Turn turn = Turn.of(readers.values());
		lease.passTo(turn);
		readers.forEach((reader, holder) -> {
			if (!reader.take(new Handle(lease, holder))) {
				turn.leave(holder); // it was cancelled meanwhile
			}
		});
		return !turn.begun();
	}

	// ---- without a holder (R24)

	@Override
	public boolean retain(HeldLease lease, Holder left) {
		Duration time = lease.tenure().behind(left);
		// Readers are not asked for what they share, also after a downgrade.
		if (time.isZero() || lease.mode() == LockMode.SHARED || !lease.grant().isValid()) {
			return false;
		}
		lease.tenure().idle(time, () -> giveUp(lease));
		if (!lease.state().retain()) {
			return false;
		}
		// A request that asked or queued up just now found it in use, as did the timer.
		if (lease.requests().isWanted() || lease.tenure().isIdleTimeOver()) {
			giveUp(lease);
		}
		else if (this.queues.hasWaiters(lease.names().get(0))) {
			offer(lease);
		}
		return true;
	}

	@Override
	public void offer(HeldLease lease) {
		if (lease.state().resume()) {
			handOverOrRelease(lease);
		}
	}

	private void handOverOrRelease(HeldLease lease) {
		if (!handOver(lease) && lease.end()) {
			release(lease, Duration.ZERO);
		}
	}

	@Override
	public boolean giveUp(HeldLease lease) {
		boolean unused = lease.endUnused();
		if (unused) {
			release(lease, Duration.ZERO);
		}
		return unused;
	}

	@Override
	public void resume(HeldLease lease, LocalQueue.Waiter taker) {
		Acquisition next = (Acquisition) taker;
		int generation = lease.tokens().next();
		lease.tokens().whenKnown(generation, (there) -> {
			if (!there || !lease.tokens().passOn()) {
				askBehind(lease, next);
			}
			else if (!pass(lease, List.of(next), generation)) {
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
		this.queues.replace(lease, next);
		Contender contender = next.prepare();
		this.store.release(lease.grant(), Duration.ZERO, contender);
		if (contender == null) { // it was cancelled meanwhile
			LocalQueues.run(this.queues.leave(next));
			next.dismiss(null);
		}
	}

	// ---- holders

	@Override
	public CompletionStage<@Nullable Void> release(HeldLease lease, Duration cooldown) {
		Deque<LocalQueue.Waiter> admitted = new ArrayDeque<>(this.queues.leave(lease));
		List<LocalQueue.Waiter> others = new ArrayList<>(0);
		Contender next = null;
		while (!admitted.isEmpty()) {
			LocalQueue.Waiter waiter = admitted.poll();
			if (next != null || !(waiter instanceof Acquisition acquisition)) {
				others.add(waiter);
				continue;
			}
			next = acquisition.prepare();
			if (next == null) { // cancelled as its turn came
				admitted.addAll(this.queues.leave(waiter));
			}
		}
		CompletionStage<ReleaseResult> released = this.store.release(lease.grant(), cooldown, next);
		LocalQueues.run(others);
		return this.settings.confirmingReleases() ? released.thenApply((result) -> null)
				: CompletableFuture.completedFuture(null);
	}

	@Override
	public void shared(HeldLease lease) {
		// All of them first: one that cannot share after all goes back into the queue.
		List<LocalQueue.Waiter> readers = this.queues.takeNext(lease, LocalQueue.Waiter::isSharable);
		readers.forEach((reader) -> Trampoline.run(() -> ((Acquisition) reader).shareOrEnter(lease)));
		admitBeside(lease);
	}

	@Override
	public void admitBeside(HeldLease lease) {
		LocalQueues.run(this.queues.admitBeside(lease));
	}

	@Override
	public void lost(HeldLease lease) {
		LocalQueues.run(this.queues.leave(lease));
	}

}
