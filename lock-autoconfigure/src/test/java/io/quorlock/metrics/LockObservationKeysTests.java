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

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.quorlock.LockCancelledException;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockMode;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for what observations tell of a lock: conventions, key values, outcomes and
 * contexts.
 */
class LockObservationKeysTests {

	private final LockAcquireObservationConvention convention = new LockAcquireObservationConvention();

	private static final LockRequest ORDER = LockRequest.of("order");

	private static final KeyValue A = KeyValue.of("a", "1");

	private static final KeyValue B = KeyValue.of("b", "1");

	private static final KeyValue OTHER_B = KeyValue.of("b", "2");

	private static final KeyValue C = KeyValue.of("c", "1");

	@Test
	void attemptsAreTold() {
		for (int attempts = 0; attempts < 10; attempts++) {
			assertThat(values(1, attempts)).containsExactlyInAnyOrder("order:0", Integer.toString(attempts));
		}
	}

	@Test
	void ofManyNamesTheFirstAreTold() {
		String five = "order:0,order:1,order:2,order:3,order:4";
		assertThat(values(5, 1)).contains(five);
		assertThat(values(6, 1)).contains(five + " and 1 more");
		assertThat(nameOfHold(5)).isEqualTo(five);
		assertThat(nameOfHold(6)).isEqualTo(five + " and 1 more");
	}

	private static String nameOfHold(int names) {
		LockRequest request = LockRequest.of("order").keys(IntStream.range(0, names).boxed().toList());
		LockHandle handle = handle(LockMode.EXCLUSIVE);
		given(handle.names()).willReturn(request.names());
		given(handle.name()).willReturn(String.join(",", request.names()));
		return new LockHeldObservationConvention()
			.getHighCardinalityKeyValues(new LockHeldObservationContext(handle, "order"))
			.iterator()
			.next()
			.getValue();
	}

	@Test
	void eachConventionIsForItsOwnContext() {
		LockAcquireObservationContext acquire = new LockAcquireObservationContext(LockRequest.of("order"), "order");
		LockHeldObservationContext held = new LockHeldObservationContext(handle(LockMode.EXCLUSIVE), "order");
		assertThat(this.convention.supportsContext(acquire)).isTrue();
		assertThat(this.convention.supportsContext(held)).isFalse();
		LockHeldObservationConvention ofHolds = new LockHeldObservationConvention();
		assertThat(ofHolds.supportsContext(held)).isTrue();
		assertThat(ofHolds.supportsContext(acquire)).isFalse();
	}

	@Test
	void outcomeIsNoneUntilItIsKnown() {
		LockRequest request = LockRequest.of("order").key(42).shared();
		LockAcquireObservationContext context = new LockAcquireObservationContext(request, "other");
		assertThat(context.getRequest()).isSameAs(request);
		assertThat(context.getLock()).isEqualTo("other");
		assertThat(context.getOutcome()).isNull();
		assertThat(context.getAttempts()).isZero();
		assertThat(this.convention.getLowCardinalityKeyValues(context)).containsExactlyInAnyOrder(
				KeyValue.of("lock", "other"), KeyValue.of("mode", "shared"), KeyValue.of("outcome", "none"));
		assertThat(this.convention.getHighCardinalityKeyValues(context))
			.containsExactlyInAnyOrder(KeyValue.of("lock.name", "order:42"), KeyValue.of("lock.attempts", "0"));
		context.end(LockOutcome.CONTENDED, 3);
		assertThat(context.getOutcome()).isSameAs(LockOutcome.CONTENDED);
		assertThat(context.getAttempts()).isEqualTo(3);
		assertThat(this.convention.getLowCardinalityKeyValues(context)).contains(KeyValue.of("outcome", "contended"));
	}

	@Test
	void holdSaysOfWhichKindItsLockIs() {
		LockHeldObservationConvention ofHolds = new LockHeldObservationConvention();
		for (LockMode mode : LockMode.values()) {
			LockHandle handle = handle(mode);
			LockHeldObservationContext context = new LockHeldObservationContext(handle, "order");
			assertThat(context.getHandle()).isSameAs(handle);
			assertThat(ofHolds.getLowCardinalityKeyValues(context)).containsExactlyInAnyOrder(
					KeyValue.of("lock", "order"),
					KeyValue.of("mode", (mode == LockMode.SHARED) ? "shared" : "exclusive"));
			assertThat(ofHolds.getHighCardinalityKeyValues(context))
				.containsExactly(KeyValue.of("lock.name", "order:42"));
			assertThat(ofHolds.getContextualName(context)).isEqualTo("hold order");
		}
	}

	private static LockHandle handle(LockMode mode) {
		LockHandle handle = mock(LockHandle.class);
		given(handle.names()).willReturn(List.of("order:42"));
		given(handle.mode()).willReturn(mode);
		return handle;
	}

	private String[] values(int names, int attempts) {
		LockRequest request = LockRequest.of("order").keys(IntStream.range(0, names).boxed().toList());
		LockAcquireObservationContext context = new LockAcquireObservationContext(request, "order");
		context.end(LockOutcome.ACQUIRED, attempts);
		return this.convention.getHighCardinalityKeyValues(context)
			.stream()
			.map(KeyValue::getValue)
			.toArray(String[]::new);
	}

	private static KeyValues valuesOf(LockRequest request) {
		return new LockAcquireObservationContext(request, "order").keyValues().held();
	}

	@Test
	void requestForTheOnlyPermitIsOneForAPermit() {
		assertThat(valuesOf(ORDER.permits(1))).contains(KeyValue.of("mode", "permit"));
		assertThat(valuesOf(ORDER.shared())).contains(KeyValue.of("mode", "shared"));
		assertThat(valuesOf(ORDER)).contains(KeyValue.of("mode", "exclusive"));
	}

	@Test
	void holderOfTheFirstPermitHoldsAPermit() {
		LockHandle handle = mock(LockHandle.class);
		given(handle.mode()).willReturn(LockMode.EXCLUSIVE);
		given(handle.permit()).willReturn(1);
		assertThat(new LockHeldObservationContext(handle, "order").keyValues().held())
			.contains(KeyValue.of("mode", "permit"));
	}

	@Test
	void waitThatEndsByItselfOrIsEndedIsContended() {
		assertThat(LockOutcome.of(new LockNotAcquiredException("held", "order", null, Duration.ZERO, 1)))
			.isSameAs(LockOutcome.CONTENDED);
		assertThat(LockOutcome
			.of(new LockInterruptedException("interrupted", "order", Duration.ZERO, new InterruptedException())))
			.isSameAs(LockOutcome.CONTENDED);
		assertThat(LockOutcome.of(new LockCancelledException("cancelled", "order", Duration.ZERO)))
			.isSameAs(LockOutcome.CONTENDED);
	}

	@Test
	void missingQuorumIsUnavailable() {
		assertThat(LockOutcome.of(new LockUnavailableException("no quorum"))).isSameAs(LockOutcome.UNAVAILABLE);
	}

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
