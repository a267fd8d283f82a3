package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.store.Contender;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.ReleaseResult;

/**
 * What follows the end of a lease in this process: the next request of its queues gets
 * the lease itself (R17), or asks the store behind the release.
 */
final class Succession implements HeldLease.Successor {

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
	public boolean handOver(HeldLease lease, Holder left) {
		if (!HandOvers.suits(left.request()) || left.generation() + 1 >= HandOvers.range(this.settings, left.request())
				|| !this.queues.hasWaiters(lease.names().get(0)) || !lease.isYoung() || !this.running.getAsBoolean()
				|| !lease.grant().passOn()) {
			return false;
		}
		while (this.queues.takeFirst(lease, (waiter) -> suits(waiter, lease)) instanceof Acquisition next) {
			Holder holder = new Holder(next.caller(), left.generation() + 1, lease.parts().clock().nanoTime(),
					lease.parts().callbacks());
			// Before the next holder's code can close its handle.
			lease.passTo(holder);
			if (next.takeOver(lease, holder)) {
				lease.reportReleased(left);
				return true;
			}
			lease.passTo(left);
		}
		return false;
	}

	private static boolean suits(LocalQueue.Waiter waiter, HeldLease lease) {
		return waiter instanceof Acquisition acquisition && HandOvers.suits(acquisition.caller().request())
				&& waiter.mode() == lease.mode() && waiter.permits() == lease.permits();
	}

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
		// All of them first: who cannot share after all is put back into the queue.
		List<Acquisition> readers = new ArrayList<>();
		while (this.queues.takeFirst(lease, LocalQueue.Waiter::isSharable) instanceof Acquisition reader) {
			readers.add(reader);
		}
		readers.forEach((reader) -> Trampoline.run(() -> reader.shareOrEnter(lease)));
		LocalQueues.run(this.queues.admitBeside(lease));
	}

	@Override
	public void lost(HeldLease lease) {
		LocalQueues.run(this.queues.leave(lease));
	}

}
