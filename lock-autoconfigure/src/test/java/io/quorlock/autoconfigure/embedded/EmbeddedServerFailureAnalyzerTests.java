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

package io.quorlock.autoconfigure.embedded;

import java.util.Objects;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import io.quorlock.autoconfigure.diagnostics.InvalidLockConfigurationFailureAnalyzer;
import io.quorlock.autoconfigure.diagnostics.InvalidLockDeclarationFailureAnalyzer;
import io.quorlock.embedded.EmbeddedServerException;

import static org.assertj.core.api.Assertions.assertThat;

class EmbeddedServerFailureAnalyzerTests {

	@Test
	void serverThatCannotRunHereIsExplained() {
		EmbeddedServerException failure = new EmbeddedServerException(
				"There is no embedded Redis server for Windows 11 on amd64");
		FailureAnalysis analysis = Objects.requireNonNull(
				new EmbeddedServerFailureAnalyzer().analyze(new BeanCreationException("redis", "failed", failure)));
		assertThat(analysis.getDescription()).isEqualTo("The embedded servers for locks cannot be used: "
				+ "There is no embedded Redis server for Windows 11 on amd64");
		assertThat(analysis.getAction()).isEqualTo("List Redis servers that run elsewhere in distributed-lock.nodes, "
				+ "or correct what the message names.");
	}

	@Test
	void analyzersAreRegistered() {
		assertThat(SpringFactoriesLoader.loadFactoryNames(FailureAnalyzer.class, getClass().getClassLoader())).contains(
				EmbeddedServerFailureAnalyzer.class.getName(), InvalidLockConfigurationFailureAnalyzer.class.getName(),
				InvalidLockDeclarationFailureAnalyzer.class.getName());
	}

}
