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

package io.quorlock.redis.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

import javax.net.ssl.SSLSocketFactory;

/**
 * Passes on each connected socket that TLS is put on. A socket with TLS waits for its
 * turn when it is closed; the one below does not, and a hanging server may need that.
 */
final class LayeredSocketFactory extends SSLSocketFactory {

	private static final String UNUSED = "TLS is only put on sockets that are connected";

	private final SSLSocketFactory delegate;

	private final ConnectedSocket onConnected;

	LayeredSocketFactory(SSLSocketFactory delegate, ConnectedSocket onConnected) {
		this.delegate = delegate;
		this.onConnected = onConnected;
	}

	@Override
	public Socket createSocket(Socket plain, String host, int port, boolean autoClose) throws IOException {
		this.onConnected.accept(plain);
		return this.delegate.createSocket(plain, host, port, autoClose);
	}

	@Override
	public String[] getDefaultCipherSuites() {
		return this.delegate.getDefaultCipherSuites();
	}

	@Override
	public String[] getSupportedCipherSuites() {
		return this.delegate.getSupportedCipherSuites();
	}

	@Override
	public Socket createSocket(String host, int port) {
		throw new UnsupportedOperationException(UNUSED);
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
		throw new UnsupportedOperationException(UNUSED);
	}

	@Override
	public Socket createSocket(InetAddress host, int port) {
		throw new UnsupportedOperationException(UNUSED);
	}

	@Override
	public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
		throw new UnsupportedOperationException(UNUSED);
	}

	/**
	 * Is passed a socket.
	 */
	interface ConnectedSocket {

		void accept(Socket plain) throws IOException;

	}

}
