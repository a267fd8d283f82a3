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
 * Notices when another client deletes the nodes of a claim.
 */
final class NodeWatch {

	private final Session session;

	private final Runnable onDeleted;

	private final List<Runnable> unwatch = new ArrayList<>(1);

	private boolean forgotten;

	NodeWatch(Session session, List<String> paths, Runnable onDeleted) {
		this.session = session;
		this.onDeleted = onDeleted;
		session.laterWatches().add(() -> paths.forEach(this::watch));
	}

	private void watch(String path) {
		synchronized (this) {
			if (this.forgotten) {
				return;
			}
			this.unwatch.add(this.session.watches().on(path, (event) -> changed(path, event)));
		}
		read(path);
	}

	/** A write to the node does not take the lock away. */
	private void changed(String path, EventType event) {
		if (event == EventType.NodeDeleted) {
			deleted();
		}
		else {
			watch(path);
		}
	}

	private void read(String path) {
		if (isForgotten()) {
			return;
		}
		this.session.requests().read(path, true, (code, content) -> {
			if (code == Code.NONODE) {
				deleted();
			}
			else if (code == Code.CONNECTIONLOSS) {
				this.session.resume(() -> read(path));
			}
		});
	}

	private void deleted() {
		if (!isForgotten()) {
			this.onDeleted.run();
		}
	}

	private synchronized boolean isForgotten() {
		return this.forgotten;
	}

	/** Report nothing any more. */
	synchronized void forget() {
		this.forgotten = true;
		this.unwatch.forEach(Runnable::run);
	}

}
