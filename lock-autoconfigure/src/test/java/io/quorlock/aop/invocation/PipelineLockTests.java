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

package io.quorlock.aop.invocation;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.aop.declaration.LockSpecification;
import io.quorlock.aop.invocation.ReactiveInvoker.PipelineLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

/**
 * Tests for {@link PipelineLock}.
 */
class PipelineLockTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private final CompletableFuture<LockHandle> acquiring = new CompletableFuture<>();

	private PipelineLock lock() throws NoSuchMethodException {
		LockSpecification specification = new LockSpecification(Runnable.class.getMethod("run"), Runnable.class, ORDER,
				null, OnContention.THROW, null, null, OnLost.THROW, null);
		LockedCall call = new LockedCall(specification, ORDER, mock(LockTemplate.class), mock(MethodInvocation.class));
		return new PipelineLock(call, null, (request) -> this.acquiring);
	}

	/**
	 * Nobody waits for it any more, so that an error in the log would be one for nothing.
	 */
	@Test
	void failureThatComesWithTheCancellationIsNotLogged() throws Exception {
		List<Throwable> dropped = new CopyOnWriteArrayList<>();
		Hooks.onErrorDropped(dropped::add);
		try {
			lock().granted().subscribe().dispose();
			this.acquiring.completeExceptionally(new LockUnavailableException("no quorum"));
			assertThat(dropped).isEmpty();
		}
		finally {
			Hooks.resetOnErrorDropped();
		}
	}

	/**
	 * Too late to cancel the request: the lock is granted, and the method about to run.
	 */
	@Test
	void methodOfAPipelineThatHasEndedDoesNotRun() throws Exception {
		LockHandle handle = mock(LockHandle.class);
		when(handle.closeAsync()).thenReturn(CompletableFuture.completedFuture(null));
		PipelineLock lock = lock();
		this.acquiring.complete(handle);
		AtomicInteger calls = new AtomicInteger();
		StepVerifier.create(lock.granted()
			.flatMapMany((granted) -> lock.release().thenMany(lock.kept(Mono.fromSupplier(calls::incrementAndGet)))))
			.verifyComplete();
		assertThat(calls).hasValue(0);
		verify(handle).closeAsync();
	}

	@Test
	void failureIsTheOneOfTheRequest() throws Exception {
		LockUnavailableException failure = new LockUnavailableException("no quorum");
		this.acquiring.completeExceptionally(new CompletionException(failure));
		StepVerifier.create(lock().granted()).verifyErrorSatisfies((ex) -> assertThat(ex).isSameAs(failure));
	}

}
