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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.quorlock.LockRequest;
import io.quorlock.engine.LockOperations;
import io.quorlock.store.NodeReport;

/**
 * Operations where locks are switched off: there is no node, and nobody holds a lock.
 */
final class UnlockedLockOperations implements LockOperations {

	@Override
	public CompletionStage<List<NodeReport>> inspect(String name) {
		return noReports(name);
	}

	@Override
	public CompletionStage<Boolean> requestRelease(String name, Duration deadline) {
		LockRequest.of(name);
		return CompletableFuture.completedFuture(false);
	}

	@Override
	public CompletionStage<List<NodeReport>> forceRelease(String name) {
		return noReports(name);
	}

	@Override
	public CompletionStage<List<NodeReport>> forceRelease(String name, int permit) {
		return noReports(name);
	}

	private static CompletionStage<List<NodeReport>> noReports(String name) {
		LockRequest.of(name);
		return CompletableFuture.completedFuture(List.of());
	}

}
