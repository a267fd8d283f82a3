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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;

/**
 * Lets the simulation do what only blocking methods offer: it has one thread.
 */
public final class SimulationAccess {

	private SimulationAccess() {
	}

	/** As {@link LockHandle#downgrade}, without waiting for the replies. */
	public static CompletionStage<Boolean> downgrade(LockHandle handle) {
		return ((Handle) handle).downgradeAsync();
	}

	/** As {@link LockHandle#extend}, without waiting for the replies. */
	public static CompletionStage<Boolean> extend(LockHandle handle, Duration lease) {
		try {
			return ((Handle) handle).extendAsync(lease);
		}
		catch (LockLostException ex) {
			return CompletableFuture.completedFuture(false);
		}
	}

}
