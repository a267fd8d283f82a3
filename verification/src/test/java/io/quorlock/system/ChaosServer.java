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

package io.quorlock.system;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

import io.quorlock.system.ChaosHistory.Outcome;
import io.quorlock.system.ChaosHistory.Visit;

/**
 * The protected resource as the processes of a chaos run reach it, and where they report
 * to. The reply to every message is one boolean: whether a write was accepted, or whether
 * to go on.
 */
final class ChaosServer implements AutoCloseable {

	static final int WRITE = 'W';

	static final int REPORT = 'R';

	private final FencedResource resource = new FencedResource();

	private final List<Visit> visits = new ArrayList<>();

	private final ServerSocket listener;

	private volatile boolean goOn = true;

	ChaosServer(InetAddress address) throws IOException {
		this.listener = new ServerSocket(0, 100, address);
		daemon(this::accept);
	}

	int port() {
		return this.listener.getLocalPort();
	}

	FencedResource resource() {
		return this.resource;
	}

	ChaosHistory history() {
		synchronized (this.visits) {
			return new ChaosHistory(List.copyOf(this.visits));
		}
	}

	/** Makes the clients end. */
	void stopClients() {
		this.goOn = false;
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Socket client = this.listener.accept();
				client.setTcpNoDelay(true);
				daemon(() -> serve(client));
			}
			catch (IOException ex) {
				// Closed.
			}
		}
	}

	private void serve(Socket client) {
		try (client) {
			DataInputStream input = new DataInputStream(client.getInputStream());
			DataOutputStream output = new DataOutputStream(client.getOutputStream());
			while (true) {
				boolean answer = (input.readByte() == WRITE) ? write(input) : report(input);
				output.writeBoolean(answer);
			}
		}
		catch (IOException ex) {
			// The client is done, or was killed.
		}
	}

	private boolean write(DataInputStream input) throws IOException {
		return this.resource.write(input.readByte(), input.readLong(), input.readLong());
	}

	private boolean report(DataInputStream input) throws IOException {
		Visit visit = new Visit(Outcome.values()[input.readByte()], input.readByte(), input.readByte(),
				input.readLong(), input.readLong(), input.readLong(), input.readLong());
		synchronized (this.visits) {
			this.visits.add(visit);
		}
		return this.goOn;
	}

	private static void daemon(Runnable task) {
		Thread thread = new Thread(task, "chaos-server");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
	}

}
