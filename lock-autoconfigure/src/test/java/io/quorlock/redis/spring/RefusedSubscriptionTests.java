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

package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.redis.RedisKeys;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a {@link SpringRedisLockNode} whose user may not listen to channels.
 */
@Tag("long")
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class RefusedSubscriptionTests implements NodeListener {

	private static final String REFUSAL = "Lock claims of this instance are not notified of offers, and wait longer: NOPERM ";

	private final AtomicInteger listening = new AtomicInteger();

	private EmbeddedRedisNode redis;

	private RedisStandaloneConfiguration configuration;

	@BeforeEach
	void start() {
		this.redis = EmbeddedRedisNode.start();
		this.redis.execute("ACL", "SETUSER", "locks", "on", ">secret", "~*", "+@all", "resetchannels");
		this.configuration = new RedisStandaloneConfiguration("127.0.0.1", this.redis.port());
		this.configuration.setUsername("locks");
		this.configuration.setPassword("secret");
	}

	@AfterEach
	void stop() {
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource
	void eachRefusalIsSaidOnceAndAskedAgain(Driver driver, CapturedOutput output) {
		try (Driver.Connections connections = driver.connect(this.configuration)) {
			subscribesOnceItMay(connections.factory(), output);
		}
	}

	private void subscribesOnceItMay(RedisConnectionFactory factory, CapturedOutput output) {
		SpringRedisLockNode node = new SpringRedisLockNode(factory, new RedisKeys("lock:"), 0, Duration.ofSeconds(1),
				new SystemClock());
		node.listen("app@host:1");
		node.start(this);
		Awaitility.await().until(() -> output.toString().contains(REFUSAL));
		assertThat(output).contains(" for channel lock:instance:app@host:1");
		assertThat(node.status().isVoting()).isTrue();
		assertThat(node.note()).contains("not notified of offers", "NOPERM");
		this.redis.execute("ACL", "SETUSER", "locks", "allchannels");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.listening.get() == 1);
		assertThat(output.toString().split(REFUSAL, -1)).as("said once").hasSize(2);
		assertThat(node.note()).isEmpty();
		this.redis.execute("ACL", "SETUSER", "locks", "resetchannels");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(output.toString().split(REFUSAL, -1)).as("said again").hasSize(3));
		assertThat(node.status().isVoting()).isTrue();
		assertThat(String.valueOf(this.redis.execute("CLIENT", "LIST")).lines())
			.as("connections of the user are not used without its log-in")
			.filteredOn((client) -> client.contains("user=default"))
			.singleElement()
			.asString()
			.contains("cmd=client|list");
		node.stop();
	}

	@Override
	public void onConnected(LockNode node) {
	}

	@Override
	public void onLists(LockNode node, List<OtherList> lists) {
	}

	@Override
	public void onMessage(LockNode node, InstanceMessage message) {
	}

	@Override
	public void onListening(LockNode node) {
		this.listening.incrementAndGet();
	}

}
