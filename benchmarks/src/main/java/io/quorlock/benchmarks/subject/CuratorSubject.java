package io.quorlock.benchmarks.subject;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/**
 * Curator's {@code InterProcessMutex}, one for each name, as its documentation advises.
 */
final class CuratorSubject implements LockSubject {

	private final CuratorFramework client;

	private final Map<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();

	CuratorSubject(List<Integer> ports) throws InterruptedException {
		this.client = CuratorClients.connect(ports);
	}

	@Override
	public Hold lock(String name) throws Exception {
		InterProcessMutex mutex = this.mutexes.computeIfAbsent(name,
				(key) -> new InterProcessMutex(this.client, "/curator/" + key));
		mutex.acquire();
		return mutex::release;
	}

	@Override
	public void close() {
		this.client.close();
	}

}
