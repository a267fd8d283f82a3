package io.quorlock.benchmarks.subject;

import java.util.List;
import java.util.stream.Collectors;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * Clients of Curator, one for each subject that locks through it.
 */
final class CuratorClients {

	private CuratorClients() {
	}

	static String connectString(List<Integer> ports) {
		return ports.stream().map((port) -> "127.0.0.1:" + port).collect(Collectors.joining(","));
	}

	static CuratorFramework connect(List<Integer> ports) throws InterruptedException {
		CuratorFramework client = CuratorFrameworkFactory.newClient(connectString(ports),
				new ExponentialBackoffRetry(100, 3));
		client.start();
		client.blockUntilConnected();
		return client;
	}

}
