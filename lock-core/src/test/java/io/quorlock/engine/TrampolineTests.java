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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Trampoline} and {@link Followers}: what follows from the end of one
 * request reaches all others.
 */
class TrampolineTests {

	private final List<String> run = new ArrayList<>();

	@Test
	void whatFollowsRunsBehindWhatItFollowsFrom() {
		Trampoline.run(() -> {
			Trampoline.run(() -> this.run.add("second"));
			Trampoline.run(() -> this.run.add("third"));
			this.run.add("first");
		});
		assertThat(this.run).containsExactly("first", "second", "third");
	}

	@Test
	void stepThatFailsKeepsNoOtherFromRunning() {
		Trampoline.run(() -> {
			Trampoline.run(() -> this.run.add("second"));
			throw new IllegalStateException("on purpose");
		});
		Trampoline.run(() -> this.run.add("third"));
		assertThat(this.run).containsExactly("second", "third");
	}

}
