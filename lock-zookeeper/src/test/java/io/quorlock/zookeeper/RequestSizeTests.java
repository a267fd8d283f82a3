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

package io.quorlock.zookeeper;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the sizes of {@link SessionRequests}.
 */
class RequestSizeTests {

	@Test
	void limitIsWhatTheClientIsConfiguredWith() {
		assertThat(SessionRequests.maxBytes("4000000")).isEqualTo(4_000_000);
		assertThat(SessionRequests.maxBytes(" 0x3fffff ")).isEqualTo(0x3fffff);
		assertThat(SessionRequests.maxBytes(null)).isEqualTo(0xfffff);
		assertThat(SessionRequests.maxBytes("much")).isEqualTo(0xfffff);
	}

	@Test
	void whateverGoesIntoTheRequestCounts() {
		int plain = size("zoo:2181", "a", "/quorlock/x");
		// The path of the create and that of the write, in bytes.
		assertThat(size("zoo:2181", "a", "/quorlock/\u4e2d")).isEqualTo(plain + 4);
		assertThat(size("zoo:2181/apps", "a", "/quorlock/x")).isEqualTo(plain + 10);
		assertThat(size("zoo:2181", "abc", "/quorlock/x")).isEqualTo(plain + 2);
		assertThat(size("zoo:2181", "a", "/quorlock/x", "/quorlock/x")).isEqualTo(2 * plain);
	}

	/** What is too large must not be sent: the servers would close the connection. */
	@Test
	void requestIsNotLargerThanItsEstimate() throws IOException {
		ACL acl = new ACL(ZooDefs.Perms.ALL, new Id("digest", "shop:secret"));
		List<String> containers = List.of("/quorlock/a/locks", "/quorlock/" + "b".repeat(500) + "/locks");
		String prefix = ClaimQueue.Node.prefix(UUID.randomUUID(), ClaimQueue.Kind.LEASE);
		List<Op> operations = new ArrayList<>();
		for (String container : containers) {
			operations.add(Op.create("/apps" + container + "/" + prefix,
					"a:ffffffffffffffff:9999".getBytes(StandardCharsets.UTF_8), List.of(acl),
					CreateMode.EPHEMERAL_SEQUENTIAL));
			operations.add(Op.setData("/apps" + container, new byte[0], -1));
		}
		ByteArrayOutputStream written = new ByteArrayOutputStream();
		new MultiOperationRecord(operations).serialize(BinaryOutputArchive.getArchive(written), "request");
		ZooKeeperSettings settings = TestZooKeeperSettings.with("zoo:2181/apps", "a")
			.set(ZooKeeperSettings::acl, List.of(acl))
			.build();
		assertThat(SessionRequests.sizeOfEnqueue(settings, containers)).isGreaterThanOrEqualTo(written.size());
	}

	@Test
	void rightsCountForEachName() {
		ACL first = new ACL(ZooDefs.Perms.ALL, new Id("digest", "shop:secret"));
		ACL second = new ACL(ZooDefs.Perms.READ, new Id("ip", "10.0.0.1"));
		int one = size(List.of(first), "/quorlock/x");
		assertThat(size(List.of(first, second), "/quorlock/x")).isEqualTo(one + 12 + 2 + 8);
		assertThat(size(List.of(first), "/quorlock/x", "/quorlock/x")).isEqualTo(2 * one);
	}

	private static int size(List<ACL> acl, String... containers) {
		return SessionRequests.sizeOfEnqueue(
				TestZooKeeperSettings.with("zoo:2181", "a").set(ZooKeeperSettings::acl, acl).build(),
				List.of(containers));
	}

	private static int size(String connectString, String instanceId, String... containers) {
		return SessionRequests.sizeOfEnqueue(TestZooKeeperSettings.with(connectString, instanceId).build(),
				List.of(containers));
	}

}
