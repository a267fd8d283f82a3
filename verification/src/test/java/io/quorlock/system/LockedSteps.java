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

package io.quorlock.system;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.transaction.annotation.Transactional;

import io.quorlock.LockException;
import io.quorlock.LockMode;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.DistributedLock.OnLost;

/**
 * Annotated methods for {@link RandomCaller}. All wait for 100 ms but for the one that
 * skips.
 */
class LockedSteps {

	@DistributedLock(name = "m", key = "#key", waitTime = "100ms")
	public Object plain(String key, Callable<Object> step) throws Exception {
		return step.call();
	}

	@DistributedLock(name = "m", key = "#key", waitTime = "0s", onContention = OnContention.SKIP)
	public Object skipped(String key, Callable<Object> step) throws Exception {
		return step.call();
	}

	@DistributedLock(name = "m", key = "#key", waitTime = "100ms", fallback = "refused")
	public Object withFallback(String key, Callable<Object> step) throws Exception {
		return step.call();
	}

	Object refused(String key, Callable<Object> step, LockException refusal) {
		return refusal;
	}

	@DistributedLock(name = "m", key = "#key", waitTime = "100ms", mode = LockMode.SHARED)
	public Object shared(String key, Callable<Object> step) throws Exception {
		return step.call();
	}

	@DistributedLock(name = "m", key = "#key", waitTime = "100ms", fair = true)
	public Object fair(String key, Callable<Object> step) throws Exception {
		return step.call();
	}

	@DistributedLock(name = "m", key = "#key", waitTime = "100ms", leaseTime = "1200ms", onLost = OnLost.INTERRUPT)
	public Object interrupted(String key, Callable<Object> step) throws Exception {
		return step.call();
	}

	@DistributedLock(name = "p", key = "#key", waitTime = "100ms", permits = 2)
	public Object permitted(String key, Callable<Object> step) throws Exception {
		return step.call();
	}

	@Transactional
	@DistributedLock(name = "m", key = "#key", waitTime = "100ms")
	public Object transactional(String key, Callable<Object> step) throws Exception {
		return step.call();
	}

	@DistributedLock(name = "m", key = "#key", waitTime = "100ms")
	public CompletableFuture<Object> future(String key, Supplier<CompletableFuture<Object>> step) {
		return step.get();
	}

	@DistributedLock(name = "m", key = "#key", waitTime = "100ms")
	public Mono<Object> mono(String key, Supplier<Mono<Object>> step) {
		return step.get();
	}

}
