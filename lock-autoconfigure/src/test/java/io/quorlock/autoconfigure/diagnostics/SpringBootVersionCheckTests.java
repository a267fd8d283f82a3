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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link SpringBootVersionCheck}.
 */
class SpringBootVersionCheckTests {

	@ParameterizedTest
	@ValueSource(strings = { "3.5.7", "4.0.0", "4.0.3-SNAPSHOT", "2.7.18" })
	void earlierVersionIsRefusedReadably(String version) {
		assertThatExceptionOfType(UnsupportedSpringBootVersionException.class)
			.isThrownBy(() -> SpringBootVersionCheck.check(version))
			.satisfies((ex) -> {
				FailureAnalysis analysis = Objects
					.requireNonNull(new UnsupportedSpringBootVersionFailureAnalyzer().analyze(ex));
				assertThat(analysis.getDescription()).contains("needs Spring Boot 4.1 or later", version);
				assertThat(analysis.getAction()).isEqualTo("Update Spring Boot to 4.1 or later, or remove the "
						+ "dependency io.quorlock:quorlock-spring-boot-starter.");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "4.1.0", "4.1.2-SNAPSHOT", "4.2.0-M1", "5.0.0", "unknown" })
	void otherVersionIsLeftAlone(String version) {
		assertThatNoException().isThrownBy(() -> SpringBootVersionCheck.check(version));
	}

	@Test
	void everyApplicationIsChecked() {
		assertThat(new SpringApplication(SpringBootVersionCheckTests.class).getListeners())
			.hasAtLeastOneElementOfType(SpringBootVersionCheck.class);
	}

}
