package io.quorlock.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;

/**
 * A claim that asks one group after the other. What one group granted is kept alive while
 * the next is asked; if that fails, or the lease is lost meanwhile, everything is
 * released again. The state changes under the lock, everything else happens outside of
 * it.
 */
final class GroupedContender implements Contender {

	private final Claim claim;

	private final List<PartialClaim> parts;

	private final Duration lockDelay;

	private final Contender.Listener listener;

	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.
	private final List<GroupedGrant.Part> granted = new ArrayList<>();

	private boolean cancelled;

	private boolean waitingReported;

	private volatile Contender current;

	private volatile int earlierAttempts;

	GroupedContender(Claim claim, List<PartialClaim> parts, Duration lockDelay, Contender.Listener listener) {
		this.claim = claim;
		this.parts = parts;
		this.lockDelay = lockDelay;
		this.listener = listener;
		this.current = contender(0);
	}

	private Contender contender(int index) {
		PartialClaim part = this.parts.get(index);
		return part.store().contend(part.claim(), new PartListener(part.store()));
	}

	boolean isOnlyIn(LeaseStore store) {
		return this.parts.size() == 1 && this.parts.get(0).store() == store;
	}

	/** The contender of the only group. */
	Contender only() {
		return this.current;
	}

	@Override
	public void start() {
		this.current.start();
	}

	@Override
	public void cancel() {
		locked(() -> this.cancelled = true);
		this.current.cancel();
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		this.current.askFor(outcome);
	}

	@Override
	public int attempts() {
		return this.earlierAttempts + this.current.attempts();
	}

	@Override
	public ClaimFailure lastFailure() {
		return this.current.lastFailure();
	}

	private void onWaiting() {
		boolean[] first = new boolean[1];
		locked(() -> {
			first[0] = !this.waitingReported;
			this.waitingReported = true;
		});
		if (first[0]) {
			this.listener.onWaiting();
		}
	}

	private void onGranted(LeaseStore store, Grant grant) {
		GroupedGrant.Part part = new GroupedGrant.Part(store, grant);
		boolean[] over = new boolean[1];
		int[] next = new int[1];
		locked(() -> {
			this.granted.add(part);
			next[0] = this.granted.size();
			over[0] = this.cancelled;
		});
		if (next[0] == this.parts.size()) {
			this.listener.onGranted(new GroupedGrant(this.claim, List.copyOf(this.granted), this.lockDelay));
			return;
		}
		if (over[0]) {
			fail(new ClaimFailure.Cancelled());
			return;
		}
		part.keepWhileOthersAreAsked();
		this.earlierAttempts = attempts();
		Contender following = contender(next[0]);
		this.current = following;
		locked(() -> over[0] = this.cancelled);
		if (over[0]) {
			following.cancel();
		}
		else {
			following.start();
		}
	}

	private void fail(ClaimFailure failure) {
		List<GroupedGrant.Part> release = new ArrayList<>();
		locked(() -> {
			release.addAll(this.granted);
			this.granted.clear();
		});
		release.forEach((part) -> part.store().release(part.grant(), Duration.ZERO, null));
		this.listener.onFailed(failure);
	}

	private void locked(Runnable change) {
		this.lock.lock();
		try {
			change.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public String toString() {
		return this.claim + " in " + this.parts.size() + " groups";
	}

	private final class PartListener implements Contender.Listener {

		private final LeaseStore store;

		PartListener(LeaseStore store) {
			this.store = store;
		}

		@Override
		public void onWaiting() {
			GroupedContender.this.onWaiting();
		}

		@Override
		public void onGranted(Grant grant) {
			GroupedContender.this.onGranted(this.store, grant);
		}

		@Override
		public void onFailed(ClaimFailure failure) {
			fail(failure);
		}

	}

}
