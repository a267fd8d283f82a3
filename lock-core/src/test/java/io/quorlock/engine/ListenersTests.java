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
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
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

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.event.LockListener;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.BDDMockito.given;

/**
 * Tests for {@link Listeners}: no event stays in the queue of its listener.
 */
@ExtendWith(LogCaptureExtension.class)
class ListenersTests {

	private static final LockListener LISTENER = new LockListener() {
	};

	private static final LockRequest ORDER = LockRequest.of("order");

	private final List<String> delivered = new ArrayList<>();

	@Test
	void eventThatComesWhileTheThreadIsAboutToLeaveIsDelivered() {
		AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();
		Listeners.Channel channel = new Listeners.Channel(LISTENER, Runnable::run, new ArrayBlockingQueue<>(10) {

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
		Listeners.Channel channel = new Listeners.Channel(LISTENER, (task) -> {
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
		Listeners.Channel channel = new Listeners.Channel(LISTENER, Runnable::run, new ArrayBlockingQueue<>(10));
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
		Listeners listeners = new Listeners(List.of(new LockListener() {

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
		Listeners listeners = new Listeners(List.of(all), Runnable::run);
		listeners.waiting(ORDER);
		listeners.acquired(ORDER, Mockito.mock(LockHandle.class), Duration.ZERO, 1);
		listeners.notAcquired(ORDER, new LockUnavailableException("no node replied"), Duration.ZERO, 1);
		listeners.renewed(ORDER, true);
		listeners.atRisk(ORDER,
				new LockAtRiskEvent(List.of("order"), "a:0:1", true, Duration.ZERO, Duration.ZERO, List.of(), ""));
		listeners.released(ORDER, Duration.ZERO);
		listeners.lost(ORDER, new LockLostEvent(List.of("order"), "a:0:1", Duration.ZERO, "another has it"));
		assertThat(Mockito.mockingDetails(all).getInvocations())
			.extracting((call) -> call.getMethod().getName().toLowerCase(Locale.ROOT))
			.filteredOn((method) -> !method.equals("events"))
			.containsExactly("on" + event.name().replace("_", "").toLowerCase(Locale.ROOT));
	}

	@Test
	void listenerThatDoesNotKeepUpLosesEventsWhichIsLoggedOnce(CapturedLog output) {
		List<Runnable> tasks = new ArrayList<>();
		Listeners.Channel channel = new Listeners.Channel(LISTENER, tasks::add, new ArrayBlockingQueue<>(2));
		for (int i = 0; i < 5; i++) {
			String event = "event " + i;
			channel.add((listener) -> this.delivered.add(event));
		}
		assertThat(output).containsOnlyOnce("does not keep up: 1 events dropped so far");
		tasks.forEach(Runnable::run);
		assertThat(this.delivered).containsExactly("event 0", "event 1");
	}

}
