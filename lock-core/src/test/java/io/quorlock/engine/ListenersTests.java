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
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.engine.event.LockListener;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Listeners}: no event stays in the queue of its listener.
 */
@ExtendWith(LogCaptureExtension.class)
class ListenersTests {

	private static final LockListener LISTENER = new LockListener() {
	};

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

	@Test
	void eventForWhichThereWasNoThreadIsDeliveredWithTheNext() {
		AtomicBoolean full = new AtomicBoolean(true);
		Listeners.Channel channel = new Listeners.Channel(LISTENER, (task) -> {
			if (full.get()) {
				throw new RejectedExecutionException("no thread");
			}
			task.run();
		}, new ArrayBlockingQueue<>(10));
		channel.add((listener) -> this.delivered.add("first"));
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
