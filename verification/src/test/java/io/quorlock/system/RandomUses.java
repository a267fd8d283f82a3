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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.quorlock.LockContext;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.system.Occupation.Hold;
import io.quorlock.system.RandomCall.IntendedException;
import io.quorlock.system.RandomCall.KeptLocks;
import io.quorlock.system.SequenceServers.SetUp;

/**
 * Uses locks of two instances at random, one inside the other, too, in each way that an
 * application has. Bound to one thread.
 */
final class RandomUses {

	/** Two that are often asked for, and others. */
	private static final List<String> KEYS = List.of("a", "b", "c", "d:1", "é/ü{x} %", "..", "n\nl'\"\\", "*[a]?");

	private static final int MAX_NESTED = 3;

	/** The longest wait for a lock that is asked for without a limit. */
	static final Duration PATIENCE = Duration.ofSeconds(15);

	private final Occupation occupation;

	private final List<SequenceInstance> instances;

	private final Random random;

	private final boolean interrupts;

	private final String caller;

	private SequenceInstance instance;

	private int depth;

	/** How many methods it is in that are interrupted if their lock is lost. */
	private int interruptedMethods;

	RandomUses(Occupation occupation, List<SequenceInstance> instances, long seed, String caller, boolean interrupts) {
		this.occupation = occupation;
		this.instances = instances;
		this.instance = instances.get(0);
		this.random = new Random(seed);
		this.caller = caller;
		this.interrupts = interrupts;
	}

	/** A request for each of the names that are used. */
	static List<LockRequest> requests() {
		List<LockRequest> requests = new ArrayList<>(KEYS.stream().map((key) -> LockRequest.of("m").key(key)).toList());
		requests.add(LockRequest.of(RandomCall.SEIZED));
		requests.add(LockRequest.of("p").key("a").permits(2));
		return requests;
	}

	/** Make a call, inside of what is held already if something is. */
	void any() {
		SequenceInstance before = this.instance;
		// A transaction takes locks of one name in two memories for one.
		if (this.depth == 0 || (this.random.nextInt(6) == 0 && this.instance.setUp != SetUp.IN_MEMORY)) {
			this.instance = this.instances.get(this.random.nextInt(this.instances.size()));
		}
		if (this.instance.isDisturbed()) {
			if (this.depth > 0 && this.instance.setUp == SetUp.IN_MEMORY) {
				return;
			}
			this.instance = this.instances.stream().filter((other) -> !other.isDisturbed()).findAny().orElseThrow();
		}
		try {
			anyCall();
		}
		finally {
			this.instance = before;
		}
	}

	private void anyCall() {
		switch (this.random.nextInt(20)) {
			case 0, 1, 2, 3, 4, 5 -> template(request(key()));
			case 6, 7 -> template(severalNames());
			case 8 -> template(permit());
			case 9 -> view(key());
			case 10, 11 -> registry(key());
			case 12, 13, 14 -> method(key());
			case 15 -> operator();
			case 16, 17 -> transaction();
			default -> later(key());
		}
	}

	private void later(String key) {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			return; // which is bound to the thread
		}
		if (this.random.nextBoolean()) {
			future(key);
		}
		else {
			mono(key);
		}
	}

	/** Now and then one that no other caller uses: nobody else can be in the way. */
	private String key() {
		return (this.random.nextInt(6) == 0) ? this.caller
				: KEYS.get(this.random.nextInt((this.random.nextInt(3) == 0) ? KEYS.size() : 2));
	}

	private Duration millis(int... choice) {
		return Duration.ofMillis(choice[this.random.nextInt(choice.length)]);
	}

	private LockRequest request(String key) {
		LockRequest request = LockRequest.of("m").key(key).waitTime(millis(0, 0, 5, 30, 120, 250));
		return switch (this.random.nextInt(10)) {
			case 0, 1 -> request.shared();
			case 2 -> request.fair();
			case 3 -> request.leaseTime(millis(1_200, 1_500));
			case 4 -> request.holdAtLeast(millis(10, 50));
			case 5 -> this.instance.setUp.isZooKeeper() ? request : request.retainTime(millis(0, 50, 400));
			case 6 -> request.notReentrant();
			case 7 -> request.releaseImmediately();
			default -> request;
		};
	}

	private LockRequest severalNames() {
		LockRequest request = request(key());
		if (!this.instance.setUp.hasSlots() && !request.isFair() && request.retainTime() == null) {
			request = request.keys(List.of(key(), key(), "c"));
		}
		return request;
	}

	private LockRequest permit() {
		LockRequest request = LockRequest.of("p").key("a").permits(2).waitTime(millis(0, 5, 120));
		return (this.random.nextInt(3) == 0) ? request.fair() : request;
	}

	private void template(LockRequest request) {
		LockTemplate template = this.instance.template;
		switch (this.random.nextInt(6)) {
			case 0 -> call("execute", request, (call) -> template.execute(request, () -> underLock(call)));
			case 1 ->
				call("tryExecute", request, (call) -> template.<Exception>tryExecute(request, () -> underLock(call)));
			case 2 -> call("acquire", request, (call) -> use(call, template.acquire(request)));
			case 3 -> call("tryAcquire", request, (call) -> {
				Optional<LockHandle> handle = template.tryAcquire(request);
				return handle.isPresent() ? use(call, handle.get()) : null;
			});
			case 4 -> call("acquireAsync", request,
					(call) -> use(call, await(template.acquireAsync(request).toCompletableFuture())));
			default -> call("cancelled acquireAsync", request, (call) -> {
				CompletableFuture<LockHandle> handle = template.acquireAsync(request).toCompletableFuture();
				pause(10);
				call.cancel();
				return handle.cancel(true) ? null : use(call, await(handle));
			});
		}
	}

	private void view(String key) {
		LockRequest request = LockRequest.of("m").key(key).releaseImmediately();
		String name = request.names().get(0);
		LockTemplate template = this.instance.template;
		switch (this.random.nextInt(4)) {
			case 0 -> lock("readLock", request.shared(), template.asReadWriteLock(name).readLock());
			case 1 -> lock("writeLock", request, template.asReadWriteLock(name).writeLock());
			default -> lock("asLock", request, template.asLock(name));
		}
	}

	private void lock(String kind, LockRequest request, Lock lock) {
		if (this.depth == 0 && this.random.nextInt(3) == 0) {
			call(kind, request.waitTime(PATIENCE), (call) -> {
				lock.lock();
				return unlocked(call, lock);
			});
		}
		else {
			Duration wait = millis(0, 20, 100);
			call(kind, request.waitTime(wait),
					(call) -> lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS) ? unlocked(call, lock) : null);
		}
	}

	private void registry(String key) {
		DistributedLock lock = this.instance.registry.obtain(key);
		LockRequest request = LockRequest.of("m").key(key).releaseImmediately();
		if (this.random.nextBoolean()) {
			lock("registry", request, lock);
			return;
		}
		Duration wait = millis(0, 20, 100);
		Duration timeToLive = millis(1_200, 2_500);
		SequenceInstance instance = this.instance;
		call("registry", request.waitTime(wait).leaseTime(timeToLive), (call) -> {
			if (!lock.tryLock(wait, timeToLive)) {
				return null;
			}
			return unlocked(call, lock, () -> instance.registry.renewLock(key, Duration.ofMillis(1_200)));
		});
	}

	private Object unlocked(RandomCall call, Lock lock) throws Exception {
		return unlocked(call, lock, () -> {
		});
	}

	private Object unlocked(RandomCall call, Lock lock, Runnable first) throws Exception {
		try {
			first.run();
			LockHandle innermost = LockContext.current().orElseThrow();
			if (call.isFor(innermost)) {
				return underLock(call, innermost);
			}
			call.reentered(); // which a view counts only
			return "held";
		}
		finally {
			lock.unlock();
		}
	}

	private void method(String key) {
		LockedSteps steps = this.instance.steps;
		LockRequest request = LockRequest.of("m").key(key).waitTime(Duration.ofMillis(100));
		switch (this.random.nextInt(8)) {
			case 0 -> call("plain method", request, (call) -> steps.plain(key, step(call)));
			case 1 -> call("skipped method", request.waitTime(Duration.ZERO), (call) -> steps.skipped(key, step(call)));
			case 2 -> call("method with fallback", request, (call) -> steps.withFallback(key, step(call)));
			case 3 -> call("shared method", request.shared(), (call) -> steps.shared(key, step(call)));
			case 4 -> call("fair method", request.fair(), (call) -> steps.fair(key, step(call)));
			case 5 -> call("interrupted method", request.leaseTime(Duration.ofMillis(1_200)),
					(call) -> interrupted(() -> steps.interrupted(key, step(call))));
			case 6 ->
				call("method with permits", LockRequest.of("p").key("a").permits(2).waitTime(Duration.ofMillis(100)),
						(call) -> steps.permitted("a", step(call)));
			default -> call("transactional method", request, (call) -> steps.transactional(key, step(call)));
		}
	}

	private Callable<Object> step(RandomCall call) {
		return () -> underLock(call);
	}

	private Object interrupted(Callable<Object> method) throws Exception {
		this.interruptedMethods++;
		try {
			return method.call();
		}
		finally {
			this.interruptedMethods--;
		}
	}

	private void future(String key) {
		LockedSteps steps = this.instance.steps;
		boolean cancelled = this.random.nextInt(3) == 0;
		Executor later = CompletableFuture.delayedExecutor(this.random.nextInt(8), TimeUnit.MILLISECONDS);
		call("future", LockRequest.of("m").key(key).waitTime(Duration.ofMillis(100)), (call) -> {
			CompletableFuture<Object> result = steps.future(key, () -> {
				List<Hold> holds = call.granted(LockContext.current().orElseThrow());
				return CompletableFuture.supplyAsync(() -> left(call, holds), later);
			});
			if (cancelled) {
				pause(8);
				call.cancel();
				result.cancel(true);
			}
			return await(result);
		});
	}

	private void mono(String key) {
		LockedSteps steps = this.instance.steps;
		boolean cancelled = this.random.nextInt(3) == 0;
		Duration delay = millis(0, 2, 8);
		call("mono", LockRequest.of("m").key(key).waitTime(Duration.ofMillis(100)), (call) -> {
			Supplier<Mono<Object>> step = () -> {
				List<Hold> holds = call.granted(LockContext.current().orElseThrow());
				return Mono.<Object>just("held")
					.delayElement(delay)
					.doOnTerminate(() -> left(call, holds))
					.doOnCancel(() -> left(call, holds));
			};
			if (!cancelled) {
				return await(steps.mono(key, step).toFuture());
			}
			call.cancel();
			Disposable subscription = steps.mono(key, step).subscribe((value) -> {
			}, (failure) -> {
			});
			pause(8);
			subscription.dispose();
			return null;
		});
	}

	private static Object left(RandomCall call, List<Hold> holds) {
		call.left(holds);
		return "held";
	}

	private void transaction() {
		TransactionTemplate template = new TransactionTemplate(this.instance.transactions);
		if (this.random.nextInt(3) == 0) {
			template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		}
		SequenceInstance instance = this.instance;
		long start = System.nanoTime();
		List<KeptLocks> kept = new ArrayList<>();
		this.depth++;
		try {
			template.executeWithoutResult((status) -> {
				kept.add(KeptLocks.current());
				for (int i = this.random.nextInt(3); i >= 0 && this.depth <= MAX_NESTED; i--) {
					any();
				}
				if (this.random.nextInt(4) == 0) {
					status.setRollbackOnly();
				}
			});
		}
		catch (UnexpectedRollbackException ex) {
			// As it was told to.
		}
		catch (LockLostException | TransactionException ex) {
			boolean justified = ex instanceof LockLostException
					&& (kept.stream().anyMatch(KeptLocks::mayBeLost) || this.occupation.mayEndFor(this));
			if (!justified && instance.isUndisturbedSince(start)) {
				this.occupation.violated("A transaction of " + instance + " failed with " + ex + ", " + ex.getCause());
			}
		}
		finally {
			this.depth--;
		}
	}

	private void operator() {
		LockRequest seized = LockRequest.of(RandomCall.SEIZED).waitTime(Duration.ofMillis(20));
		SequenceInstance instance = this.instance;
		String name = LockRequest.of("m").key(key()).names().get(0);
		switch (this.random.nextInt(4)) {
			case 0 -> template(seized);
			case 1 -> call("forced release", seized, (call) -> {
				call.cancel();
				return await(instance.inspector.forceRelease(RandomCall.SEIZED));
			});
			case 2 -> call("inspection", seized, (call) -> {
				call.cancel();
				return await(instance.inspector.inspect(name));
			});
			default -> {
				if (!instance.setUp.isZooKeeper()) {
					call("release request", seized, (call) -> {
						call.cancel();
						return instance.template.requestRelease(name, Duration.ofMillis(100));
					});
				}
			}
		}
	}

	/** Make one call, and judge what becomes of it. */
	private void call(String kind, LockRequest request, Attempt attempt) {
		RandomCall call = new RandomCall(this.occupation, this.instance, this, kind, request)
			.interruptible(this.interrupts || this.interruptedMethods > 0);
		try {
			Object result = attempt.make(call);
			if (result instanceof LockException refusal) {
				call.failed(refusal);
			}
			else if (!call.isGranted()) {
				call.refused();
			}
		}
		catch (Throwable ex) {
			call.failed(ex);
		}
		finally {
			call.end();
		}
	}

	private Object underLock(RandomCall call) throws Exception {
		return underLock(call, LockContext.current().orElseThrow());
	}

	private Object underLock(RandomCall call, LockHandle handle) throws Exception {
		List<Hold> holds = call.granted(handle);
		this.depth++;
		try {
			for (int i = 0; i < 2; i++) {
				step(call, handle);
			}
			if (this.random.nextInt(12) == 0) {
				throw new IntendedException();
			}
			return "held";
		}
		finally {
			this.depth--;
			call.left(holds);
		}
	}

	private void step(RandomCall call, LockHandle handle) throws Exception {
		switch (this.random.nextInt(10)) {
			case 0, 1 -> {
				if (this.depth <= MAX_NESTED) {
					any();
				}
			}
			case 2 -> handle.extend(millis(1_500, 3_000));
			case 3 -> {
				if (handle.mode() == LockMode.EXCLUSIVE && handle.permit() == 0 && !call.isInTransaction()) {
					handle.downgrade();
				}
			}
			case 4 -> {
				if (handle.mode() == LockMode.EXCLUSIVE) {
					call.unsettle();
					handle.holdAtLeast(millis(0, 30));
				}
			}
			case 5 -> outstay(call, handle);
			default -> pause(15);
		}
	}

	/** Hold it until its lease ends, and wait to be notified. */
	private void outstay(RandomCall call, LockHandle handle) {
		if (!call.isLeased() || !this.instance.isUndisturbedSince(System.nanoTime())) {
			return;
		}
		CompletableFuture<Object> notice = new CompletableFuture<>();
		handle.onLost(notice::complete);
		for (int i = 0; i < 500 && handle.isHeld(); i++) {
			pause(10);
		}
		if (!handle.isHeld()) {
			await(notice);
		}
	}

	/** Use a handle, and close it in one of several ways. */
	private Object use(RandomCall call, LockHandle handle) throws Exception {
		int way = this.random.nextInt(5);
		try {
			return underLock(call, handle);
		}
		finally {
			switch (way) {
				case 0 -> await(handle.closeAsync().toCompletableFuture());
				case 1 -> {
					call.unsettle();
					handle.closeAsync();
				}
				case 2 -> {
					CompletableFuture<Void> other = CompletableFuture.runAsync(handle::close);
					handle.close();
					await(other);
				}
				default -> handle.close();
			}
			if (handle.isHeld() || !handle.remaining().isZero() || handle.loss().isPresent()) {
				call.violated("Closed, but held or lost");
			}
		}
	}

	/** Wait for a result that has to come, without giving up if interrupted. */
	private <T> T await(CompletableFuture<T> result) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		catch (TimeoutException ex) {
			throw new AssertionError("Nothing came within " + PATIENCE, ex);
		}
		catch (ExecutionException ex) {
			throw new CompletionException(ex.getCause());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void pause(int maxMillis) {
		try {
			Thread.sleep(this.random.nextInt(maxMillis + 1));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public String toString() {
		return this.caller;
	}

	/** How a lock is asked for, and what comes of it; null if the lock is not granted. */
	private interface Attempt {

		@Nullable Object make(RandomCall call) throws Exception;

	}

}
