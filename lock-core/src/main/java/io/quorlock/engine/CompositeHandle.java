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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.spi.ReentrantLockHandle;

/**
 * Several leases as one handle: what a request got whose call held some of its names
 * already.
 */
final class CompositeHandle implements ReentrantLockHandle {

	private final List<ReentrantLockHandle> parts;

	private final List<String> names;

	CompositeHandle(List<? extends LockHandle> parts) {
		// The engine makes no other handles.
		this.parts = parts.stream().map(ReentrantLockHandle.class::cast).toList();
		this.names = parts.stream().flatMap((part) -> part.names().stream()).sorted().toList();
	}

	@Override
	public List<String> names() {
		return this.names;
	}

	@Override
	public long fencingToken(String name) {
		return part(name).fencingToken(name);
	}

	private LockHandle part(String name) {
		return this.parts.stream()
			.filter((part) -> part.names().contains(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("Lock '" + name() + "' does not hold '" + name + "'"));
	}

	/** Shared as soon as a part is: then others may share that part. */
	@Override
	public LockMode mode() {
		return this.parts.stream().anyMatch((part) -> part.mode() == LockMode.SHARED) ? LockMode.SHARED
				: LockMode.EXCLUSIVE;
	}

	/** Turns all parts that are still exclusive, with all of their handles (R19). */
	@Override
	public void downgrade() {
		ensureHeld();
		if (this.parts.stream().noneMatch(CompositeHandle::isExclusive)) {
			throw new IllegalStateException(
					"Lock '" + name() + "' is not held exclusively, so that it cannot be downgraded");
		}
		for (LockHandle part : this.parts) {
			if (isExclusive(part)) { // several may be of one lease
				part.downgrade();
			}
		}
	}

	private static boolean isExclusive(LockHandle part) {
		return part.mode() == LockMode.EXCLUSIVE;
	}

	@Override
	public Duration remaining() {
		return this.parts.stream().map(LockHandle::remaining).min(Duration::compareTo).orElse(Duration.ZERO);
	}

	@Override
	public boolean isHeld() {
		return this.parts.stream().allMatch(LockHandle::isHeld);
	}

	@Override
	public void ensureHeld() {
		this.parts.forEach(LockHandle::ensureHeld);
	}

	@Override
	public void onLost(Consumer<LockLostEvent> callback) {
		AtomicBoolean once = new AtomicBoolean();
		this.parts.forEach((part) -> part.onLost((event) -> {
			if (once.compareAndSet(false, true)) {
				callback.accept(event);
			}
		}));
	}

	/**
	 * At risk while one part is; the first to begin and the last to end are passed on.
	 */
	@Override
	public void onAtRisk(Consumer<LockAtRiskEvent> callback) {
		AtomicInteger atRisk = new AtomicInteger();
		this.parts.forEach((part) -> part.onAtRisk((event) -> {
			boolean passed = event.atRisk() ? atRisk.getAndIncrement() == 0 : atRisk.decrementAndGet() == 0;
			if (passed) {
				callback.accept(event);
			}
		}));
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		this.parts.forEach((part) -> part.onReleaseRequested(callback));
	}

	@Override
	public boolean isGrantedBy(Object engine) {
		return this.parts.get(0).isGrantedBy(engine);
	}

	@Override
	public void extend(Duration lease) {
		this.parts.forEach((part) -> part.extend(lease));
	}

	@Override
	public void holdAtLeast(Duration time) {
		this.parts.forEach((part) -> part.holdAtLeast(time));
	}

	@Override
	public ReentrantLockHandle reenter(Collection<String> names) {
		List<ReentrantLockHandle> reentered = new ArrayList<>();
		try {
			for (ReentrantLockHandle part : this.parts) {
				List<String> wanted = part.names().stream().filter(names::contains).toList();
				if (!wanted.isEmpty()) {
					reentered.add(part.reenter(wanted));
				}
			}
		}
		catch (RuntimeException ex) {
			reentered.forEach(LockHandle::close);
			throw ex;
		}
		return (reentered.size() == 1) ? reentered.get(0) : new CompositeHandle(reentered);
	}

	@Override
	public void close() {
		closeAsync().toCompletableFuture().join();
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		return CompletableFuture.allOf(this.parts.stream()
			.map((part) -> part.closeAsync().toCompletableFuture())
			.toArray(CompletableFuture[]::new));
	}

	@Override
	public String toString() {
		return "LockHandle" + this.parts;
	}

}
