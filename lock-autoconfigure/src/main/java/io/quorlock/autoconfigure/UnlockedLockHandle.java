package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.ReleaseRequest;

/**
 * A handle of disabled locks. It excludes no other caller, and counts as held until it is
 * closed.
 */
final class UnlockedLockHandle implements LockHandle {

	private final List<String> names;

	private final long fence;

	private final int permit;

	private volatile LockMode mode;

	private volatile boolean closed;

	UnlockedLockHandle(LockRequest request, long fence) {
		this(request.names(), fence, request.mode(), Math.min(1, request.permits()));
	}

	private UnlockedLockHandle(List<String> names, long fence, LockMode mode, int permit) {
		this.names = names;
		this.fence = fence;
		this.mode = mode;
		this.permit = permit;
	}

	@Override
	public String name() {
		return String.join(",", this.names);
	}

	@Override
	public List<String> names() {
		return this.names;
	}

	@Override
	public long fencingToken() {
		if (this.names.size() > 1) {
			throw new IllegalStateException(
					"Lock '" + name() + "' has a fencing token per name: ask for one with fencingToken(name)");
		}
		return this.fence;
	}

	@Override
	public long fencingToken(String name) {
		if (!this.names.contains(name)) {
			throw new IllegalArgumentException("Lock '" + name() + "' does not hold '" + name + "'");
		}
		return this.fence;
	}

	@Override
	public LockMode mode() {
		return this.mode;
	}

	@Override
	public int permit() {
		return this.permit;
	}

	@Override
	public void downgrade() {
		ensureHeld();
		this.mode = LockMode.SHARED;
	}

	@Override
	public Duration remaining() {
		return this.closed ? Duration.ZERO : Duration.ofNanos(Long.MAX_VALUE);
	}

	@Override
	public boolean isHeld() {
		return !this.closed;
	}

	@Override
	public void ensureHeld() {
		if (this.closed) {
			throw new IllegalStateException("Lock '" + name() + "' was closed");
		}
	}

	@Override
	public void onLost(Consumer<LockLostEvent> callback) {
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
	}

	@Override
	public void extend(Duration lease) {
		ensureHeld();
	}

	@Override
	public LockHandle reenter(Collection<String> names) {
		return new UnlockedLockHandle(names.stream().sorted().toList(), this.fence, this.mode, this.permit);
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
