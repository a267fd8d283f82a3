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

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.aop.declaration.InvalidLockDeclarationException;
import io.quorlock.autoconfigure.InvalidLockConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the failure analyzers of properties and of declarations.
 */
class InvalidLockConfigurationFailureAnalyzerTests {

	private final StandardEnvironment environment = new StandardEnvironment();

	@Test
	void analysisNamesPropertyValueOriginReasonAndAction() {
		set("distributed-lock.leaseTime", "90s");
		FailureAnalysis analysis = analyze("distributed-lock.lease-time", "1m30s");
		assertThat(analysis.getDescription()).contains("'distributed-lock.lease-time' has the value '1m30s'")
			.contains("from application.yml:7:3")
			.contains("because");
		assertThat(analysis.getAction()).isEqualTo("do this");
	}

	@Test
	void analysisFindsTheOriginOfAnElementInACommaSeparatedList() {
		set("distributed-lock.nodes", "redis://a,b");
		assertThat(analyze("distributed-lock.nodes[1]", "b").getDescription())
			.contains("'distributed-lock.nodes[1]' has the value 'b'")
			.contains("from application.yml:7:3");
	}

	@Test
	void analysisSaysThatAPropertyIsNotSet() {
		assertThat(analyze("distributed-lock.nodes", null).getDescription())
			.contains("'distributed-lock.nodes' is not set:");
	}

	@Test
	void analysisNamesAGroupWhoseIdIsNoCanonicalName() {
		assertThat(analyze("distributed-lock.groups.EU_1.nodes[0]", "redis://").getDescription())
			.contains("'distributed-lock.groups.EU_1.nodes[0]' has the value 'redis://'");
	}

	@Test
	void analysisReadsAsOneText() {
		set("distributed-lock.leaseTime", "90s");
		assertThat(analyze("distributed-lock.lease-time", "1m30s").getDescription())
			.isEqualTo(("Configuration property 'distributed-lock.lease-time' has the value '1m30s' "
					+ "(from application.yml:7:3):%n%n    because")
				.formatted());
		assertThat(new InvalidLockConfigurationException("distributed-lock.nodes", null, "because", "do this"))
			.hasMessage("Invalid configuration property 'distributed-lock.nodes': because");
	}

	private void set(String property, String value) {
		this.environment.getPropertySources()
			.addFirst(new OriginTrackedMapPropertySource("test",
					Map.of(property, OriginTrackedValue.of(value, new TextOrigin("application.yml:7:3")))));
	}

	private FailureAnalysis analyze(String property, @Nullable String value) {
		ConfigurationPropertySources.attach(this.environment);
		FailureAnalyzer analyzer = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, ArgumentResolver.of(Environment.class, this.environment),
					FailureHandler.handleMessage((message, failure) -> {
					}))
			.stream()
			.filter(InvalidLockConfigurationFailureAnalyzer.class::isInstance)
			.findFirst()
			.orElseThrow();
		return Objects.requireNonNull(analyzer.analyze(new IllegalStateException(
				new InvalidLockConfigurationException(property, value, "because", "do this"))));
	}

	@Test
	void analysisNamesAttributeValueLocationReasonAndAction() {
		FailureAnalysis analysis = analyzeDeclaration("fallback", "nowhere");
		assertThat(analysis.getDescription()).isEqualTo(
				"@DistributedLock with fallback = \"nowhere\" on%n%n    Orders.place%n%ncannot work: there is none"
					.formatted());
		assertThat(analysis.getAction()).isEqualTo("Add it.");
	}

	@Test
	void analysisOfAMethodThatCannotBeLockedNamesNoAttribute() {
		assertThat(analyzeDeclaration(null, null).getDescription())
			.isEqualTo("@DistributedLock on%n%n    Orders.place%n%ncannot work: there is none".formatted());
	}

	private static FailureAnalysis analyzeDeclaration(@Nullable String attribute, @Nullable String value) {
		return Objects
			.requireNonNull(new InvalidLockDeclarationFailureAnalyzer().analyze(new InvalidLockDeclarationException(
					DistributedLock.class, "Orders.place", attribute, value, "there is none", "Add it.", null)));
	}

	private record TextOrigin(String text) implements Origin {

		@Override
		public String toString() {
			return this.text;
		}

	}

}
