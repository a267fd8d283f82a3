package io.quorlock.zookeeper;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.apache.zookeeper.CreateMode;

/**
 * Creates the nodes that queues are kept in. The servers delete them when they have been
 * empty for a while.
 */
final class Containers {

	private Containers() {
	}

	/**
	 * Create containers, and those that they are in.
	 * @param requests the session's requests
	 * @param paths where nodes are
	 * @param containers at least one
	 * @param reply receives what became of the last of them
	 */
	static void create(Requests requests, LockPaths paths, List<String> containers, Requests.Reply<Boolean> reply) {
		Set<String> all = new LinkedHashSet<>();
		containers.forEach((container) -> all.addAll(paths.containersDownTo(container)));
		String last = containers.get(containers.size() - 1);
		for (String path : all) {
			requests.create(path, new byte[0], CreateMode.CONTAINER, (code, created) -> {
				if (path.equals(last)) {
					reply.received(code, null);
				}
			});
		}
	}

}
