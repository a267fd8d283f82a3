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

package io.quorlock.simulation;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Two instances that know the same six servers by different lists. The second one begins
 * later, and either may never reach some of its nodes. It may know the servers under
 * other names, and one of them under a name that is another server's in the first list.
 *
 * @param first the servers of the one that comes first, as bits
 * @param second those of the other
 * @param common a server of both that both reach
 * @param names what the second one calls the servers
 */
record PairOfLists(int first, int second, int common, List<String> names) {

	static final int SERVERS = 6;

	static final int LONGEST = 5;

	List<SimServer> list(int instance, List<SimServer> servers) {
		int list = (instance == 0) ? this.first : this.second;
		return IntStream.range(0, SERVERS).filter((i) -> (list & 1 << i) != 0).mapToObj(servers::get).toList();
	}

	String name(int instance, SimServer server, List<SimServer> servers) {
		return (instance == 0) ? server.name : this.names.get(servers.indexOf(server));
	}

	void plot(World world) {
		SimServer common = world.servers.get(this.common);
		for (SimClient client : world.clients) {
			for (SimNode node : client.nodes) {
				if (node.server == common) {
					node.await();
				}
				else if (world.chance.onceIn(4)) {
					node.cutOff();
				}
			}
		}
		world.clients.get(0).start();
		// It may just have begun, or hold a lock by then.
		world.later(world.chance.oneOf(0, 20, 400) * Plan.MILLI, world.clients.get(1)::start);
	}

}
