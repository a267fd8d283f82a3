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

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.store.FakeGrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.BDDMockito.given;

/**
 * Tests for {@link LockEvents}: no event stays in the queue of its listener.
 */
@ExtendWith(LogCaptureExtension.class)
class LockEventsTests {

	private static final LockListener LISTENER = new LockListener() {
	};

	private static final LockRequest ORDER = LockRequest.of("order");

	private final List<String> delivered = new ArrayList<>();

	@Test
	void eventThatComesWhileTheThreadIsAboutToLeaveIsDelivered() {
		AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();
		LockEvents.Channel channel = new LockEvents.Channel(LISTENER, Runnable::run, new ArrayBlockingQueue<>(10) {

			@Override
			public @Nullable Consumer<LockListener> poll() {
				Consumer<LockListener> event = super.poll();
				Runnable next = (event != null) ? null : meanwhile.getAndSet(null);
				if (next != null) {
					next.run();
				}
				return event;
			}

		});
		meanwhile.set(() -> channel.add((listener) -> this.delivered.add("second")));
		channel.add((listener) -> this.delivered.add("first"));
		assertThat(this.delivered).containsExactly("first", "second");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void eventForWhichThereWasNoThreadIsDeliveredWithTheNext(boolean noMemory) {
		AtomicBoolean full = new AtomicBoolean(true);
		LockEvents.Channel channel = new LockEvents.Channel(LISTENER, (task) -> {
			if (full.get() && noMemory) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			if (full.get()) {
				throw new RejectedExecutionException("no thread");
			}
			task.run();
		}, new ArrayBlockingQueue<>(10));
		assertThatNoException().isThrownBy(() -> channel.add((listener) -> this.delivered.add("first")));
		full.set(false);
		channel.add((listener) -> this.delivered.add("second"));
		assertThat(this.delivered).containsExactly("first", "second");
	}

	@Test
	void eventBehindOneThatFailsIsDelivered() {
		LockEvents.Channel channel = new LockEvents.Channel(LISTENER, Runnable::run, new ArrayBlockingQueue<>(10));
		channel.add((listener) -> {
			throw new IllegalStateException("on purpose");
		});
		channel.add((listener) -> this.delivered.add("second"));
		assertThat(this.delivered).containsExactly("second");
	}

	@Test
	void listenerThatIsBusyMissesNoneOfTenThousandEvents() {
		List<Runnable> tasks = new ArrayList<>();
		AtomicInteger heard = new AtomicInteger();
		LockEvents listeners = new LockEvents(List.of(new LockListener() {

			@Override
			public void onWaiting(LockRequest request) {
				heard.incrementAndGet();
			}

		}), tasks::add);
		for (int i = 0; i <= 10_000; i++) {
			listeners.waiting(ORDER);
		}
		tasks.forEach(Runnable::run);
		assertThat(heard).hasValue(10_000);
	}

	@ParameterizedTest
	@EnumSource
	void listenerHearsOfTheOnlyEventThatItNames(LockListener.Event event) {
		LockListener all = Mockito.mock();
		given(all.events()).willReturn(EnumSet.of(event));
		FakeStoreEngine fake = new FakeStoreEngine(all);
		LockHandle lock = fake.held(ORDER);
		FakeGrant grant = fake.store.grants().get(0);
		fake.acquire(ORDER).cancel(true);
		grant.renewed(true);
		grant.risk("no node replied");
		lock.closeAsync();
		fake.held(ORDER);
		fake.store.grants().get(1).lose("another has it");
		assertThat(Mockito.mockingDetails(all).getInvocations())
			.extracting((call) -> call.getMethod().getName().toLowerCase(Locale.ROOT))
			.filteredOn((method) -> !method.equals("events"))
			.containsOnly("on" + event.name().replace("_", "").toLowerCase(Locale.ROOT));
	}

	@Test
	void listenerThatDoesNotKeepUpLosesEventsWhichIsLoggedOnce(CapturedLog output) {
		List<Runnable> tasks = new ArrayList<>();
		LockEvents.Channel channel = new LockEvents.Channel(LISTENER, tasks::add, new ArrayBlockingQueue<>(2));
		for (int i = 0; i < 5; i++) {
			String event = "event " + i;
			channel.add((listener) -> this.delivered.add(event));
		}
		assertThat(output).containsOnlyOnce("does not keep up: 1 events dropped so far");
		tasks.forEach(Runnable::run);
		assertThat(this.delivered).containsExactly("event 0", "event 1");
	}

	/** A caller would wait for its lock for ever otherwise. */
	@Test
	void codeForWhichThereIsNoThreadIsRunAllTheSame() {
		List<String> run = new ArrayList<>();
		new LockEvents(List.of(), (task) -> {
			throw new RejectedExecutionException("shut down");
		}).run(() -> run.add("rejected"));
		new LockEvents(List.of(), (task) -> {
			throw new OutOfMemoryError("unable to create native thread");
		}).run(() -> run.add("no thread"));
		assertThat(run).containsExactly("rejected", "no thread");
	}

	@Test
	void stageCompletesOnAThreadOfItsOwnWithValueOrFailure() {
		List<Runnable> tasks = new ArrayList<>();
		LockEvents events = new LockEvents(List.of(), tasks::add);
		CompletableFuture<String> value = events.completeOnThread(CompletableFuture.completedFuture("value"));
		CompletableFuture<String> failure = events
			.completeOnThread(CompletableFuture.failedFuture(new IllegalStateException("on purpose")));
		assertThat(value).isNotDone();
		assertThat(failure).isNotDone();
		tasks.forEach(Runnable::run);
		assertThat(value).isCompletedWithValue("value");
		assertThat(failure).isCompletedExceptionally();
	}

}
