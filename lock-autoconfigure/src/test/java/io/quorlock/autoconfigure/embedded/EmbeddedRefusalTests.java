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

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.mock.env.MockEnvironment;

import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.TestProperties;
import io.quorlock.autoconfigure.diagnostics.InvalidLockConfigurationFailureAnalyzer;
import io.quorlock.autoconfigure.diagnostics.InvalidLockDeclarationFailureAnalyzer;
import io.quorlock.embedded.EmbeddedServerException;

import static io.quorlock.autoconfigure.TestProperties.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what the configurations of embedded servers refuse, and for servers that do
 * not start: each failure says which property is wrong, why, and what to do.
 */
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedRefusalTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final MockEnvironment environment = new MockEnvironment();

	@Test
	void embeddedServersDoNotReplaceNodes() {
		assertRefused(
				() -> new EmbeddedServersConfiguration.Redis().distributedLockEmbeddedRedis(
						TestProperties.bind("nodes", "redis://a"), this.beans, this.environment),
				"distributed-lock.backend", "embedded",
				"distributed-lock.nodes is set too, and the embedded servers would be used instead of those nodes",
				"Remove distributed-lock.backend to use the nodes, or set distributed-lock.nodes to an empty value to use "
						+ "embedded servers.");
	}

	@Test
	void embeddedZooKeeperDoesNotReplaceOtherServers() {
		for (String[] other : List.of(new String[] { "nodes", "redis://a" },
				new String[] { "groups.a.nodes", "redis://a" },
				new String[] { "zookeeper.connect-string", "zk:2181" })) {
			assertRefused(() -> embeddedZooKeeper("embedded.zookeeper", "3", other[0], other[1]),
					"distributed-lock.embedded.zookeeper", "3",
					"other servers are configured too, and the embedded ones would be used instead of those",
					"Use 1 or 3, or remove the property to use other servers.");
		}
		assertRefused(() -> embeddedZooKeeper("embedded.zookeeper", "0"), "distributed-lock.embedded.zookeeper", "0",
				"it must be positive", "Use 1 or 3, or remove the property to use other servers.");
	}

	private void embeddedZooKeeper(String... properties) {
		new EmbeddedServersConfiguration.Ensemble().distributedLockEmbeddedZooKeeper(TestProperties.bind(properties),
				this.beans, this.environment);
	}

	@Test
	void embeddedZooKeeperOfADeployedApplicationIsWarnedOf(CapturedOutput output) {
		LockProperties properties = TestProperties.bind("embedded.zookeeper", "1");
		EmbeddedServersConfiguration.Ensemble configuration = new EmbeddedServersConfiguration.Ensemble();
		configuration.distributedLockEmbeddedZooKeeper(properties, this.beans, this.environment).close();
		assertThat(output).doesNotContain("packaged");
		this.environment.setProperty("spring.main.cloud-platform", "kubernetes");
		configuration.distributedLockEmbeddedZooKeeper(properties, this.beans, this.environment).close();
		assertThat(output).contains("Locks are kept on ZooKeeper servers inside this packaged application. Other "
				+ "instances do not see these locks, so they exclude nothing outside this process");
	}

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
