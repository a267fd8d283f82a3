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

package io.quorlock.transaction;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.spi.ReentrantLockHandle;

/**
 * A lock as a method and its transaction see it: the loss of the lock may be tolerated,
 * since the result of the method stands in that case, too.
 *
 * @since 0.1.0
 */
public class DelegatingLockHandle implements ReentrantLockHandle {

	private final LockHandle delegate;

	private volatile boolean lossTolerated;

	DelegatingLockHandle(LockHandle delegate) {
		this.delegate = delegate;
	}

	/**
	 * Return the lock as one whose loss does not prevent a commit.
	 * @param handle the lock
	 * @return the lock, marked
	 */
	public static DelegatingLockHandle tolerant(LockHandle handle) {
		DelegatingLockHandle marked = (handle instanceof DelegatingLockHandle delegating) ? delegating
				: new DelegatingLockHandle(handle);
		marked.lossTolerated = true;
		return marked;
	}

	/**
	 * Return whether a transaction may be committed although this lock is lost.
	 * @return whether the loss is ignored
	 */
	public final boolean isLossTolerated() {
		return this.lossTolerated;
	}

	final LockHandle delegate() {
		return this.delegate;
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public List<String> names() {
		return this.delegate.names();
	}

	@Override
	public long fencingToken() {
		return this.delegate.fencingToken();
	}

	@Override
	public long fencingToken(String name) {
		return this.delegate.fencingToken(name);
	}

	@Override
	public LockMode mode() {
		return this.delegate.mode();
	}

	@Override
	public int permit() {
		return this.delegate.permit();
	}

	@Override
	public void downgrade() {
		this.delegate.downgrade();
	}

	@Override
	public Duration remaining() {
		return this.delegate.remaining();
	}

	@Override
	public boolean isHeld() {
		return this.delegate.isHeld();
	}

	@Override
	public void ensureHeld() {
		this.delegate.ensureHeld();
	}

	@Override
	public void onLost(Consumer<LockLostEvent> callback) {
		this.delegate.onLost(callback);
	}

	@Override
	public void onAtRisk(Consumer<LockAtRiskEvent> callback) {
		this.delegate.onAtRisk(callback);
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		this.delegate.onReleaseRequested(callback);
	}

	@Override
	public void extend(Duration lease) {
		this.delegate.extend(lease);
	}

	@Override
	public void holdAtLeast(Duration time) {
		this.delegate.holdAtLeast(time);
	}

	@Override
	public boolean isGrantedBy(Object engine) {
		return this.delegate instanceof ReentrantLockHandle handle && handle.isGrantedBy(engine);
	}

	@Override
	public ReentrantLockHandle reenter(Collection<String> names) {
		if (this.delegate instanceof ReentrantLockHandle handle) {
			return handle.reenter(names);
		}
		throw new UnsupportedOperationException("Lock '" + name() + "' cannot be re-entered");
	}

	@Override
	public void close() {
		this.delegate.close();
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		return this.delegate.closeAsync();
	}

	@Override
	public String toString() {
		return this.delegate.toString();
	}

}
