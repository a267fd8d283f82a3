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

package io.quorlock.autoconfigure.health;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.health.LockHealthIndicator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the health says of instances that use the same nodes with different lists: two
 * instances over real nodes.
 */
class NodeMismatchHealthTests {

	private static final EmbeddedRedis redis = EmbeddedRedis.start(4);

	private static final List<String> OLD_LIST = redis.uris().subList(0, 3);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(LockAutoConfiguration.class, LockHealthContributorAutoConfiguration.class))
		.withPropertyValues("distributed-lock.restart-quarantine=0s");

	@AfterAll
	static void stopNodes() {
		redis.close();
	}

	@Test
	void otherListIsNotedIfItIsMerelyToBeReported() {
		besideTheOldList("reported", redis.uris().subList(2, 4), "warn", (health) -> {
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).doesNotContainKey("lists");
			assertThat(String.valueOf(health.getDetails().get("nodes")))
				.contains("note=another instance uses a different node list", "two may hold one lock");
		});
	}

	@Test
	void listsWithoutAJointMajorityAreDown() {
		besideTheOldList("apart", redis.uris().subList(2, 4), "fail", (health) -> {
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(String.valueOf(health.getDetails().get("lists"))).contains("instances use different node lists",
					"2 of 3 nodes are needed and 1 votes here");
		});
	}

	@Test
	void listsWithAJointMajorityAreUpAndNoted() {
		besideTheOldList("growth", redis.uris(), "fail", (health) -> {
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(String.valueOf(health.getDetails().get("lists"))).contains("instances use different node lists");
			assertThat(String.valueOf(health.getDetails().get("nodes"))).contains("and a majority of both is needed");
		});
	}

	private void besideTheOldList(String prefix, List<String> newList, String mismatch, Consumer<Health> check) {
		String group = "distributed-lock.key-prefix=" + prefix + ":";
		this.contextRunner.withPropertyValues(group, nodes(OLD_LIST)).run((old) -> {
			await().until(() -> health(old.getBean(LockHealthIndicator.class)).contains("voting=3")
					&& redis.nodes().subList(0, 3).stream().allMatch((node) -> hasOneList(node, prefix)));
			this.contextRunner.withPropertyValues(group, nodes(newList), "distributed-lock.node-mismatch=" + mismatch)
				.run((context) -> await()
					.untilAsserted(() -> check.accept(context.getBean(LockHealthIndicator.class).health())));
		});
	}

	private static String health(LockHealthIndicator indicator) {
		return String.valueOf(indicator.health().getDetails());
	}

	/** The record has its age, the server, and each list. */
	private static boolean hasOneList(EmbeddedRedisNode node, String prefix) {
		return Long.valueOf(3).equals(node.execute("HLEN", prefix + ":nodes"));
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(30));
	}

	private static String nodes(List<String> uris) {
		return "distributed-lock.nodes=" + String.join(",", uris);
	}

}
