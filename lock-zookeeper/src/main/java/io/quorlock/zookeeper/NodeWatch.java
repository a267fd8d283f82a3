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

import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Notices when another client deletes the nodes of a lease.
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

	/** Watch nodes, unless they are forgotten first. */
	void watch(List<String> paths) {
		int current = current();
		this.session.laterWatches().add(() -> begin(paths, current));
	}

	private synchronized int current() {
		return this.generation;
	}

	private void begin(List<String> paths, int current) {
		for (String path : paths) {
			if (listen(path, current)) {
				read(path, current);
			}
		}
	}

	private synchronized boolean listen(String path, int current) {
		if (!isCurrent(current)) {
			return false;
		}
		this.unwatch.add(this.session.watches().on(path, (event) -> changed(path, current, event)));
		return true;
	}

	/** A write to the node does not take the lock away. */
	private void changed(String path, int current, EventType event) {
		if (event == EventType.NodeDeleted) {
			deleted(current);
		}
		else if (listen(path, current)) {
			read(path, current);
		}
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
