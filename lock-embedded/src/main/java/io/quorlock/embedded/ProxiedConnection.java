package io.quorlock.embedded;

import java.io.IOException;
import java.net.Socket;

/**
 * One client of a {@link LoopbackProxy} and its own connection to the server, unconnected
 * if the proxy was a black hole from the start. Ends as a whole when either side ends.
 */
final class ProxiedConnection {

	private final LoopbackProxy proxy;

	private final Socket client;

	private final Socket server;

	private final ProxyStream requests;

	private final ProxyStream replies;

	private volatile boolean swallowed;

	ProxiedConnection(LoopbackProxy proxy, Socket client, Socket server) throws IOException {
		this.proxy = proxy;
		this.client = client;
		this.server = server;
		client.setTcpNoDelay(true);
		server.setTcpNoDelay(true);
		this.requests = new ProxyStream(this, client, server, false);
		this.replies = new ProxyStream(this, server, client, true);
	}

	void start() {
		LoopbackProxy.daemon("requests", this.requests::read);
		if (this.server.isConnected()) {
			LoopbackProxy.daemon("replies", this.replies::read);
		}
	}

	void settleReplies() {
		this.replies.settle();
	}

	LoopbackProxy proxy() {
		return this.proxy;
	}

	/** Whether what is next to be written is lost, as is everything after it. */
	boolean swallows() {
		if (this.proxy.isBlackhole() || !this.server.isConnected()) {
			this.swallowed = true;
		}
		return this.swallowed;
	}

	boolean hasSwallowed() {
		return this.swallowed || !this.server.isConnected();
	}

	void close() {
		LoopbackProxy.closeQuietly(this.client);
		LoopbackProxy.closeQuietly(this.server);
		this.requests.end();
		this.replies.end();
		this.proxy.closed(this);
	}

}
