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

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

import io.quorlock.embedded.EmbeddedZooKeeper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An administrator who looks at nodes, and deletes some.
 */
final class RawClient implements AutoCloseable {

	/** What a connect string may end with. */
	static final String CHROOT = "/apps/shop";

	private final ZooKeeper client;

	RawClient(String connectString) throws Exception {
		CountDownLatch connected = new CountDownLatch(1);
		this.client = new ZooKeeper(connectString, 40_000, (event) -> {
			if (event.getState() == KeeperState.SyncConnected) {
				connected.countDown();
			}
		});
		assertThat(connected.await(30, TimeUnit.SECONDS)).isTrue();
	}

	static void createChroot(EmbeddedZooKeeper server) throws Exception {
		try (RawClient admin = new RawClient(server.connectString())) {
			admin.create("/apps", "");
			admin.create(CHROOT, "");
		}
	}

	/** Leave a server to the next test as it was. */
	static void clear(EmbeddedZooKeeper server) throws Exception {
		try (RawClient admin = new RawClient(server.connectString())) {
			for (String child : admin.client.getChildren("/", false)) {
				if (!child.equals("zookeeper")) {
					ZKUtil.deleteRecursive(admin.client, "/" + child);
				}
			}
		}
	}

	ZooKeeper client() {
		return this.client;
	}

	/** The nodes in the queue of a name. */
	List<String> queue(String name) throws Exception {
		String path = "/quorlock/" + LockPaths.encode(name);
		this.client.sync(path);
		try {
			return this.client.getChildren(path, false);
		}
		catch (KeeperException.NoNodeException ex) {
			return List.of();
		}
	}

	boolean exists(String path) throws Exception {
		return this.client.exists(path, false) != null;
	}

	void create(String path, String data) throws Exception {
		this.client.create(path, data.getBytes(), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
	}

	void deleteQueue(String name) throws Exception {
		for (String child : queue(name)) {
			delete("/quorlock/" + LockPaths.encode(name) + "/" + child);
		}
	}

	/** Deletes the nodes of a name that are not of this owner. */
	void deleteQueueBut(String name, String owner) throws Exception {
		for (String child : queue(name)) {
			String path = "/quorlock/" + LockPaths.encode(name) + "/" + child;
			if (!new String(this.client.getData(path, false, null)).startsWith(owner)) {
				delete(path);
			}
		}
	}

	void delete(String path) throws Exception {
		this.client.delete(path, -1);
	}

	@Override
	public void close() throws Exception {
		this.client.close();
	}

}
