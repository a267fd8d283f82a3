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

import java.io.IOException;
import java.util.function.LongSupplier;

import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Creates clients of ZooKeeper from settings.
 */
final class ClientFactory {

	private ClientFactory() {
	}

	static ConnectAttempts attempts(ZooKeeperSettings settings, LongSupplier nanoTime) {
		ConnectStringParser parser = new ConnectStringParser(settings.connectString());
		return new ConnectAttempts(new StaticHostProvider(parser.getServerAddresses()), nanoTime);
	}

	/** A client with a session of its own. */
	static ZooKeeper create(ZooKeeperSettings settings, ConnectAttempts attempts, Watcher watcher) throws IOException {
		// Never read-only: such a server may be cut off from all others.
		return authenticated(settings, new ZooKeeper(settings.connectString(), timeoutMillis(settings), watcher, false,
				attempts, config(settings)));
	}

	/** A client with a session that exists already. */
	static ZooKeeper resume(ZooKeeperSettings settings, ConnectAttempts attempts, Watcher watcher, long id,
			byte[] password) throws IOException {
		return authenticated(settings, new ZooKeeper(settings.connectString(), timeoutMillis(settings), watcher, id,
				password, false, attempts, config(settings)));
	}

	private static int timeoutMillis(ZooKeeperSettings settings) {
		return Math.toIntExact(settings.sessionTimeout().toMillis());
	}

	private static ZKClientConfig config(ZooKeeperSettings settings) {
		ZKClientConfig config = new ZKClientConfig();
		settings.nextClientProperties().forEach(config::setProperty);
		return config;
	}

	private static ZooKeeper authenticated(ZooKeeperSettings settings, ZooKeeper client) {
		settings.credentials().forEach((credentials) -> client.addAuthInfo(credentials.scheme(), credentials.secret()));
		return client;
	}

}
