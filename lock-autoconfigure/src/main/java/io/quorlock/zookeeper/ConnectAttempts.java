package io.quorlock.zookeeper;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.function.LongSupplier;

import org.apache.zookeeper.client.HostProvider;
import org.jspecify.annotations.Nullable;

/**
 * Notes when the client began its latest attempt to connect, and to which server. A
 * session cannot be older than the attempt that created it, however long the servers were
 * away before.
 */
final class ConnectAttempts implements HostProvider {

	private final HostProvider servers;

	private final LongSupplier nanoTime;

	private volatile long begunNanos;

	private volatile @Nullable InetSocketAddress server;

	ConnectAttempts(HostProvider servers, LongSupplier nanoTime) {
		this.servers = servers;
		this.nanoTime = nanoTime;
		this.begunNanos = nanoTime.getAsLong();
	}

	long begunNanos() {
		return this.begunNanos;
	}

	/** The server of the latest attempt, for people. */
	String server() {
		InetSocketAddress address = this.server;
		return (address != null) ? address.getHostString() + ":" + address.getPort() : "none";
	}

	@Override
	public int size() {
		return this.servers.size();
	}

	@Override
	public InetSocketAddress next(long spinDelay) {
		this.begunNanos = this.nanoTime.getAsLong();
		InetSocketAddress next = this.servers.next(spinDelay);
		this.server = next;
		return next;
	}

	@Override
	public void onConnected() {
		this.servers.onConnected();
	}

	@Override
	public boolean updateServerList(Collection<InetSocketAddress> addresses, InetSocketAddress current) {
		return this.servers.updateServerList(addresses, current);
	}

}
