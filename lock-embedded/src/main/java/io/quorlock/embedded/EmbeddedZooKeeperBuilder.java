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

package io.quorlock.embedded;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Builder for {@link EmbeddedZooKeeper} and {@link EmbeddedZooKeeperEnsemble}. The
 * defaults are those of a ZooKeeper server: a tick of 2 s, and therefore session timeouts
 * from 4 s to 40 s.
 *
 * @since 0.1.0
 */
public final class EmbeddedZooKeeperBuilder {

	final Map<String, String> properties = new LinkedHashMap<>();

	EmbeddedZooKeeperBuilder() {
		property("tickTime", "2000");
		property("initLimit", "10");
		property("syncLimit", "5");
		// The limit is per address, and all clients have the same one.
		property("maxClientCnxns", "0");
		property("admin.enableServer", "false");
		// The data need not survive a crash of the machine.
		property("forceSync", "no");
	}

	/**
	 * Set a property of the servers' configuration. As with a configuration file, a
	 * property that is not one of {@code QuorumPeerConfig} becomes a system property of
	 * this JVM with the prefix {@code zookeeper.}.
	 * @param name the name, as in {@code zoo.cfg}
	 * @param value the value
	 * @return this
	 */
	public EmbeddedZooKeeperBuilder property(String name, String value) {
		this.properties.put(name, value);
		return this;
	}

	/**
	 * Start one server with these options. Each call starts another one.
	 * @return the server, ready for connections
	 * @throws EmbeddedServerException if it does not start
	 */
	public EmbeddedZooKeeper start() {
		return startEnsemble(1).server(0);
	}

	/**
	 * Start an ensemble of servers with these options.
	 * @param servers how many; an odd number, as a rule
	 * @return the ensemble, every server ready for connections
	 * @throws EmbeddedServerException if it does not start; then no server is left
	 */
	public EmbeddedZooKeeperEnsemble startEnsemble(int servers) {
		return new EmbeddedZooKeeperEnsemble(servers, this);
	}

}
