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

import java.util.stream.IntStream;

import io.micrometer.common.KeyValue;
import org.junit.jupiter.api.Test;

import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DefaultLockAcquireObservationConvention}.
 */
class LockAcquireConventionTests {

	private final DefaultLockAcquireObservationConvention convention = new DefaultLockAcquireObservationConvention();

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

}
