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

package io.quorlock.autoconfigure.diagnostics;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.diagnostics.FailureAnalysis;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.declaration.InvalidLockDeclarationException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InvalidLockDeclarationFailureAnalyzer}.
 */
class InvalidLockDeclarationFailureAnalyzerTests {

	@Test
	void analysisNamesAttributeValueLocationReasonAndAction() {
		FailureAnalysis analysis = analyze("fallback", "nowhere");
		assertThat(analysis.getDescription()).isEqualTo(
				"@DistributedLock with fallback = \"nowhere\" on%n%n    Orders.place%n%ncannot work: there is none"
					.formatted());
		assertThat(analysis.getAction()).isEqualTo("Add it.");
	}

	@Test
	void analysisOfAMethodThatCannotBeLockedNamesNoAttribute() {
		assertThat(analyze(null, null).getDescription())
			.isEqualTo("@DistributedLock on%n%n    Orders.place%n%ncannot work: there is none".formatted());
	}

	private static FailureAnalysis analyze(@Nullable String attribute, @Nullable String value) {
		return Objects
			.requireNonNull(new InvalidLockDeclarationFailureAnalyzer().analyze(new InvalidLockDeclarationException(
					DistributedLock.class, "Orders.place", attribute, value, "there is none", "Add it.", null)));
	}

}
