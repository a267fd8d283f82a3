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

import java.io.IOException;
import java.net.Socket;

/**
 * One client of a {@link LoopbackProxy} and its own connection to the server; there is
 * none if the proxy was a black hole from the start. Ends as a whole when either side
 * ends.
 */
final class ProxiedConnection {

	private static final int CONNECT_TIMEOUT_MS = 10_000;

	private final LoopbackProxy proxy;

	private final Socket client;

	private final Socket server = new Socket();

	private final boolean reachesServer;

	private final ProxyStream requests;

	private final ProxyStream replies;

	private volatile boolean forgotten;

	private volatile boolean swallowed;

	ProxiedConnection(LoopbackProxy proxy, Socket client, boolean reachesServer) throws IOException {
		this.proxy = proxy;
		this.client = client;
		this.reachesServer = reachesServer;
		client.setTcpNoDelay(true);
		this.server.setTcpNoDelay(true);
		this.requests = new ProxyStream(this, client, this.server, false);
		this.replies = new ProxyStream(this, this.server, client, true);
	}

	void start() {
		LoopbackProxy.daemon("requests", this::run);
	}

	/** A server that hangs may take long to connect to, or may never accept. */
	private void run() {
		if (this.reachesServer) {
			try {
				this.server.connect(this.proxy.target(), CONNECT_TIMEOUT_MS);
			}
			catch (IOException ex) {
				close();
				return;
			}
			LoopbackProxy.daemon("replies", this.replies::read);
		}
		this.requests.read();
	}

	void settleReplies() {
		this.replies.settle();
	}

	LoopbackProxy proxy() {
		return this.proxy;
	}

	void forget() {
		this.forgotten = true;
		settleReplies();
	}

	boolean isSilent() {
		return this.forgotten || this.proxy.isBlackhole();
	}

	/** Whether what is next to be written is lost, as is everything after it. */
	boolean swallows() {
		if (isSilent() || !this.reachesServer) {
			this.swallowed = true;
		}
		return this.swallowed;
	}

	boolean hasSwallowed() {
		return this.swallowed || !this.reachesServer;
	}

	void close() {
		LoopbackProxy.closeQuietly(this.client);
		LoopbackProxy.closeQuietly(this.server);
		this.requests.end();
		this.replies.end();
		this.proxy.closed(this);
	}

}
