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

package io.quorlock.leader;

import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LeaderOnlyMethods}.
 */
class LeaderOnlyMethodsTests {

	private final LeaderOnlyMethods methods = new LeaderOnlyMethods(UnaryOperator.identity(), () -> {
		throw new AssertionError("the election does not exist yet");
	});

	@ParameterizedTest
	@ValueSource(classes = { ReturnsMono.class, ReturnsFlux.class, ReturnsFuture.class })
	void resultThatComesLaterIsRefused(Class<?> type) {
		assertThatIllegalStateException().isThrownBy(() -> this.methods.matches(type))
			.withMessageContaining(type.getName() + ".run")
			.withMessageContaining("may come after the method has returned");
	}

	@Test
	void staticMethodIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> this.methods.matches(IsStatic.class))
			.withMessageContaining("a private, static or final method");
	}

	@Test
	void otherMethodsOfTheClassAreNotGuarded() throws Exception {
		assertThat(this.methods.matches(Job.class)).isTrue();
		assertThat(this.methods.matches(Object.class)).isFalse();
		assertThat(this.methods.matches(Unguarded.class)).isFalse();
		assertThat(this.methods.role(Job.class.getDeclaredMethod("guarded"), Job.class)).isEqualTo("importer");
		assertThat(this.methods.role(Job.class.getDeclaredMethod("other"), Job.class)).isNull();
	}

	static class ReturnsMono {

		@LeaderOnly("importer")
		Mono<String> run() {
			return Mono.empty();
		}

	}

	static class ReturnsFlux {

		@LeaderOnly("importer")
		Flux<String> run() {
			return Flux.empty();
		}

	}

	static class ReturnsFuture {

		@LeaderOnly("importer")
		@Nullable Future<String> run() {
			return null;
		}

	}

	static class IsStatic {

		@LeaderOnly("importer")
		static void run() {
		}

	}

	static class Unguarded {

		void run() {
		}

	}

	static class Job {

		@LeaderOnly("importer")
		void guarded() {
		}

		void other() {
		}

	}

}
