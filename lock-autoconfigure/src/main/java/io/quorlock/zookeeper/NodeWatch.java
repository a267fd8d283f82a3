package io.quorlock.zookeeper;

import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.KeeperException.Code;

/**
 * Notices when somebody else deletes the nodes of a lease.
 */
final class NodeWatch {

	private final Session session;

	private final Runnable onDeleted;

	private final List<Runnable> unwatch = new ArrayList<>();

	/** Replies to earlier requests mean nothing any more. */
	private int generation;

	NodeWatch(Session session, Runnable onDeleted) {
		this.session = session;
		this.onDeleted = onDeleted;
	}

	/** Watch nodes from now on. */
	void watch(List<String> paths) {
		int current;
		synchronized (this) {
			current = this.generation;
			paths.forEach((path) -> this.unwatch.add(this.session.watches().on(path, () -> deleted(current))));
		}
		paths.forEach((path) -> read(path, current));
	}

	private void read(String path, int current) {
		this.session.requests().read(path, true, (code, content) -> {
			if (code == Code.NONODE) {
				deleted(current);
			}
			else if (code == Code.CONNECTIONLOSS) {
				this.session.resume(() -> {
					if (isCurrent(current)) {
						read(path, current);
					}
				});
			}
		});
	}

	private synchronized boolean isCurrent(int watched) {
		return watched == this.generation;
	}

	private void deleted(int watched) {
		if (isCurrent(watched)) {
			this.onDeleted.run();
		}
	}

	/** Report nothing of the nodes that are watched any more. */
	synchronized void forget() {
		this.generation++;
		this.unwatch.forEach(Runnable::run);
		this.unwatch.clear();
	}

}
