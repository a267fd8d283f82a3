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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

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
	 * @param reply receives {@link Code#OK} if all of them are there, otherwise what
	 * hinders the first that is not
	 */
	static void create(SessionRequests requests, LockPaths paths, List<String> containers,
			SessionRequests.Reply<Boolean> reply) {
		Set<String> all = new LinkedHashSet<>();
		containers.forEach((container) -> all.addAll(paths.containersDownTo(container)));
		String last = containers.get(containers.size() - 1);
		List<Code> refusals = new ArrayList<>();
		for (String path : all) {
			requests.create(path, new byte[0], CreateMode.CONTAINER, (code, created) -> {
				if (code != Code.OK && code != Code.NODEEXISTS) {
					refusals.add(code);
				}
				if (path.equals(last)) {
					reply.received(refusals.isEmpty() ? Code.OK : refusals.get(0), null);
				}
			});
		}
	}

}
