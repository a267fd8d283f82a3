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

package io.quorlock.metrics;

import java.util.function.Consumer;
import java.util.stream.Stream;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockObservationContext}: its keys are those of a plain context with
 * which the same was done.
 */
class LockObservationContextTests {

	private static final KeyValue A = KeyValue.of("a", "1");

	private static final KeyValue B = KeyValue.of("b", "1");

	private static final KeyValue OTHER_B = KeyValue.of("b", "2");

	private static final KeyValue C = KeyValue.of("c", "1");

	static Stream<Consumer<Observation.Context>> changes() {
		return Stream.of((context) -> {
		}, (context) -> context.addLowCardinalityKeyValues(KeyValues.of(A, B)),
				(context) -> context.addLowCardinalityKeyValues(KeyValues.of(A, B))
					.addLowCardinalityKeyValues(KeyValues.of(OTHER_B, A)),
				(context) -> context.addLowCardinalityKeyValues(KeyValues.of(A, B))
					.addLowCardinalityKeyValues(KeyValues.of(A, C)),
				(context) -> context.addLowCardinalityKeyValues(KeyValues.of(A, B))
					.addLowCardinalityKeyValues(KeyValues.of(OTHER_B)),
				(context) -> context.addLowCardinalityKeyValues(KeyValues.of(B))
					.addLowCardinalityKeyValues(KeyValues.of(A, OTHER_B, C)),
				(context) -> context.addLowCardinalityKeyValue(C)
					.addLowCardinalityKeyValue(B)
					.addLowCardinalityKeyValue(OTHER_B)
					.addLowCardinalityKeyValues(KeyValues.empty()),
				(context) -> context.addLowCardinalityKeyValues(KeyValues.of(A, B, C))
					.removeLowCardinalityKeyValue("b")
					.removeLowCardinalityKeyValue("none"),
				(context) -> context.addLowCardinalityKeyValues(KeyValues.of(A, B, C))
					.removeLowCardinalityKeyValues("a", "b", "c"),
				(context) -> context.addHighCardinalityKeyValues(KeyValues.of(A, B))
					.addHighCardinalityKeyValue(OTHER_B)
					.addLowCardinalityKeyValue(C),
				(context) -> context.addHighCardinalityKeyValues(KeyValues.of(A, B, C))
					.removeHighCardinalityKeyValue("b"),
				(context) -> context.addHighCardinalityKeyValues(KeyValues.of(A, B, C))
					.removeHighCardinalityKeyValues("a", "c"));
	}

	@ParameterizedTest
	@MethodSource("changes")
	void hasTheKeysOfAPlainContext(Consumer<Observation.Context> change) {
		Observation.Context plain = new Observation.Context();
		Observation.Context context = new LockAcquireObservationContext(LockRequest.of("order"), "order");
		change.accept(plain);
		change.accept(context);
		assertThat(context.getLowCardinalityKeyValues()).containsExactlyElementsOf(plain.getLowCardinalityKeyValues());
		assertThat(context.getHighCardinalityKeyValues())
			.containsExactlyElementsOf(plain.getHighCardinalityKeyValues());
		assertThat(context.getAllKeyValues()).containsExactlyElementsOf(plain.getAllKeyValues());
		for (String key : new String[] { "a", "b", "c", "none" }) {
			assertThat(context.getLowCardinalityKeyValue(key)).isEqualTo(plain.getLowCardinalityKeyValue(key));
			assertThat(context.getHighCardinalityKeyValue(key)).isEqualTo(plain.getHighCardinalityKeyValue(key));
		}
	}

}
