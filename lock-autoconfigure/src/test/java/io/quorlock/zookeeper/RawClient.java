package io.quorlock.zookeeper;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An administrator who looks at nodes, and deletes some.
 */
final class RawClient implements AutoCloseable {

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

	void delete(String path) throws Exception {
		this.client.delete(path, -1);
	}

	@Override
	public void close() throws Exception {
		this.client.close();
	}

}
