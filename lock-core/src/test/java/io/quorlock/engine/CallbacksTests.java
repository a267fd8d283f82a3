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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Callbacks}.
 */
class CallbacksTests {

	private final List<Runnable> tasks = new ArrayList<>();

	private final Callbacks callbacks = new Callbacks(this.tasks::add);

	/** A caller would wait for its lock for ever otherwise. */
	@Test
	void codeForWhichThereIsNoThreadIsRunAllTheSame() {
		List<String> run = new ArrayList<>();
		new Callbacks((task) -> {
			throw new RejectedExecutionException("shut down");
		}).run(() -> run.add("rejected"));
		new Callbacks((task) -> {
			throw new OutOfMemoryError("unable to create native thread");
		}).run(() -> run.add("no thread"));
		assertThat(run).containsExactly("rejected", "no thread");
	}

	@Test
	void stageCompletesOnAThreadOfItsOwnWithValueOrFailure() {
		CompletableFuture<String> value = this.callbacks.completeOnThread(CompletableFuture.completedFuture("value"));
		CompletableFuture<String> failure = this.callbacks
			.completeOnThread(CompletableFuture.failedFuture(new IllegalStateException("on purpose")));
		assertThat(value).isNotDone();
		assertThat(failure).isNotDone();
		this.tasks.forEach(Runnable::run);
		assertThat(value).isCompletedWithValue("value");
		assertThat(failure).isCompletedExceptionally();
	}

}
