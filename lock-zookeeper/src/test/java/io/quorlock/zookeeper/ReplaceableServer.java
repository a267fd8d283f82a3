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
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * One server in this process whose memory a test can write to, and whose data is lost, or
 * restored from a copy, while the server is stopped. It keeps its port.
 */
final class ReplaceableServer implements AutoCloseable {

	private int port;

	private ServerCnxnFactory connections;

	private ZooKeeperServer server;

	ReplaceableServer(Path data) throws Exception {
		start(data);
	}

	/** Start with what is in a folder. */
	void start(Path data) throws Exception {
		Files.createDirectories(data);
		this.server = new ZooKeeperServer(data.toFile(), data.toFile(), 500);
		this.connections = new NIOServerCnxnFactory();
		this.connections.configure(new InetSocketAddress("127.0.0.1", this.port), 0);
		this.connections.startup(this.server);
		this.port = this.connections.getLocalPort();
	}

	/** As if power failed. */
	void stop() {
		this.connections.shutdown();
		this.server.shutdown();
	}

	String connectString() {
		return "127.0.0.1:" + this.port;
	}

	/** The number of the next sequential node below a path. */
	void nextNumber(String path, int number) throws IOException {
		this.server.getZKDatabase().getDataTree().getNode(path).stat.setCversion(number);
	}

	@Override
	public void close() {
		stop();
	}

}
