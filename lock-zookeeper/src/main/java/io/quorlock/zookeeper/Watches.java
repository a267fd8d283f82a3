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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * The callbacks to run at the end of each node. The client knows one watcher for all of
 * them, so that a claim that gives up leaves nothing behind in it, and a lost connection
 * is not reported to each of a thousand waiters.
 */
final class Watches {

	/** Most nodes have one. */
	private final Map<String, List<Consumer<EventType>>> byPath = new ConcurrentHashMap<>();

	/**
	 * Run a task once something happens to a node. The caller sets the watch itself.
	 * @param path the node
	 * @param task receives what happened; must not block and must not throw
	 * @return takes the task back
	 */
	Runnable on(String path, Consumer<EventType> task) {
		this.byPath.compute(path, (key, tasks) -> {
			if (tasks == null) {
				return List.of(task);
			}
			return tasks.contains(task) ? tasks : Stream.concat(tasks.stream(), Stream.of(task)).toList();
		});
		return () -> this.byPath.computeIfPresent(path, (key, tasks) -> {
			List<Consumer<EventType>> others = tasks.stream().filter((each) -> each != task).toList();
			return others.isEmpty() ? null : others;
		});
	}

	void fire(String path, EventType event) {
		List<Consumer<EventType>> tasks = this.byPath.remove(path);
		if (tasks != null) {
			tasks.forEach((task) -> task.accept(event));
		}
	}

	int size() {
		return this.byPath.size();
	}

}
