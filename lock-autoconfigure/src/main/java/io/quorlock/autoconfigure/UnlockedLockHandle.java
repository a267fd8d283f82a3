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

package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import io.quorlock.LockLostEvent;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.ReleaseRequest;
import io.quorlock.spi.ReentrantLockHandle;

/**
 * A handle of disabled locks. It excludes no other caller, and counts as held until it is
 * closed.
 */
final class UnlockedLockHandle implements ReentrantLockHandle {

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
	public void holdAtLeast(Duration time) {
		ensureHeld();
	}

	@Override
	public boolean isGrantedBy(Object engine) {
		return false;
	}

	@Override
	public UnlockedLockHandle reenter(Collection<String> names) {
		return new UnlockedLockHandle(names.stream().sorted().toList(), this.fence, this.mode, this.permit);
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
