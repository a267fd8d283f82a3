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

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.LoopbackProxy;

/**
 * For tests with one server for all of their class, which each leaves to the next as it
 * was.
 */
abstract class AbstractServerTests extends AbstractStoreTests {

	static EmbeddedZooKeeper server;

	RawClient admin;

	@BeforeAll
	static void startServer() {
		server = EmbeddedZooKeeper.start();
	}

	@AfterAll
	static void closeServer() {
		server.close();
	}

	@BeforeEach
	final void connect() throws Exception {
		opened(() -> RawClient.clear(server));
		this.admin = opened(new RawClient(server.connectString()));
	}

	@Override
	final String connectString() {
		return server.connectString();
	}

	final LoopbackProxy proxy() {
		return opened(LoopbackProxy.to(server.port()));
	}

	/** One that is connected through a proxy. */
	final ZooKeeperLeaseStore store(LoopbackProxy proxy) {
		return store("127.0.0.1:" + proxy.port(), "a", (settings) -> {
		});
	}

}
