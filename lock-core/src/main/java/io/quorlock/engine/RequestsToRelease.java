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

import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.quorlock.ReleaseRequest;
import io.quorlock.store.Grant;

/**
 * Requests of others to let a lease go (R24). Nothing is received before one of its
 * holders wants to know.
 */
final class RequestsToRelease {

	private final Grant grant;

	private final Supplier<Collection<Holder>> holders;

	private final AtomicBoolean listening = new AtomicBoolean();

	/** Runs when others want the lease. */
	private final Runnable wanted;

	RequestsToRelease(Grant grant, Supplier<Collection<Holder>> holders, Runnable wanted) {
		this.grant = grant;
		this.holders = holders;
		this.wanted = wanted;
	}

	/**
	 * Listen from now on.
	 * @throws UnsupportedOperationException if the store cannot pass requests on, also
	 * when it is called again
	 */
	void listen() {
		if (this.listening.compareAndSet(false, true)) {
			try {
				this.grant.onReleaseRequested(this::received);
			}
			catch (UnsupportedOperationException ex) {
				this.listening.set(false);
				throw ex;
			}
		}
	}

	private void received(ReleaseRequest request) {
		this.wanted.run();
		this.holders.get().forEach((holder) -> holder.releaseRequested(request));
	}

}
