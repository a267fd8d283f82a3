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

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.TestSettings;
import io.quorlock.system.ChaosHistory.Outcome;
import io.quorlock.system.ChaosHistory.Visit;

/**
 * A process of a chaos run: threads that take locks of all kinds, write to what these
 * protect, and report what they saw, until the server ends them or is gone.
 */
final class ChaosClient {

	static final Duration LEASE = Duration.ofSeconds(2);

	/** Of ZooKeeper. */
	static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

	/** Of each name that has permits. */
	static final int PERMITS = 2;

	/** In front of the connect string of an ensemble. */
	static final String ZOOKEEPER = "zookeeper:";

	/** The environment may name the host of the server. */
	static final String SERVER_VARIABLE = "CHAOS_SERVER";

	/** The environment may name a file for what is logged and why requests fail. */
	static final String LOG_VARIABLE = "CHAOS_LOG";

	/** A line that asks for the status without garbage. */
	static final String COLLECT = "collect";

	/** In front of the message of a request that failed, in the log. */
	static final String FAILED = "FAILED ";

	private static final Duration WAIT = Duration.ofSeconds(1);

	private final LockTemplate template;

	/** When the lock that nobody else wants was granted last. */
	private static volatile long lockedAt;

	private final Role role;

	private final int firstName;

	private final Pace pace;

	private final BooleanSupplier goOn;

	private final Socket socket;

	private final DataInputStream input;

	private final DataOutputStream output;

	private ChaosClient(LockTemplate template, Role role, int firstName, Pace pace, BooleanSupplier goOn, int port)
			throws IOException {
		this.template = template;
		this.role = role;
		this.firstName = firstName;
		this.pace = pace;
		this.goOn = goOn;
		this.socket = new Socket(System.getenv().getOrDefault(SERVER_VARIABLE, "127.0.0.1"), port);
		this.socket.setTcpNoDelay(true);
		this.input = new DataInputStream(this.socket.getInputStream());
		this.output = new DataOutputStream(new BufferedOutputStream(this.socket.getOutputStream()));
	}

	/**
	 * Arguments: instance, port of the server, threads, node URIs or {@code zookeeper:}
	 * and a connect string.
	 */
	public static void main(String[] args) throws Exception {
		List<String> uris = List.of(args).subList(3, args.length);
		LockTemplate template;
		AutoCloseable engine;
		IntSupplier usable;
		if (uris.get(0).startsWith(ZOOKEEPER)) {
			RealZooKeeperEngine real = RealZooKeeperEngine.start(settings(args[0], Duration.ofSeconds(1)),
					uris.get(0).substring(ZOOKEEPER.length()), SESSION_TIMEOUT);
			template = real.template;
			engine = real;
			usable = () -> real.store.status().available() ? 1 : 0;
		}
		else {
			RealEngine real = RealEngine.start(settings(args[0]), uris);
			template = real.template;
			engine = real;
			usable = () -> (int) real.nodes.stream().filter((node) -> node.status().isVoting()).count();
		}
		PrintStream out = System.out;
		out.println("READY");
		// There is much of what is logged from now on.
		String log = System.getenv(LOG_VARIABLE);
		System.setOut(new PrintStream((log != null) ? new FileOutputStream(log) : OutputStream.nullOutputStream(), true,
				StandardCharsets.UTF_8));
		int port = Integer.parseInt(args[1]);
		List<Thread> threads = start(template, Integer.parseInt(args[2]), Pace.HASTY, () -> true, port);
		if (log != null) {
			int number = Integer.parseInt(args[0].substring(args[0].indexOf(':') + 1));
			threads
				.add(started(new ChaosClient(template, Role.ALONE, nameAlone(number), Pace.HASTY, () -> true, port)));
		}
		// Connected for as long as the test looks at what is left.
		Thread status = new Thread(() -> replyStatus(usable, out), "chaos-status");
		status.start();
		for (Thread thread : threads) {
			thread.join();
		}
		out.println("IDLE");
		status.join();
		engine.close();
		System.exit(0);
	}

	/** The name that no other process locks. */
	static int nameAlone(int process) {
		return Role.ALONE.first + process - 1;
	}

	/**
	 * To each line, until there are no more: how many servers can be used, when it locked
	 * last, how many locks were lost, the longest time from the end of the validity to
	 * the report of it, and what is used of the heap.
	 */
	private static void replyStatus(IntSupplier usable, PrintStream out) {
		try (Scanner lines = new Scanner(System.in)) {
			while (lines.hasNextLine()) {
				if (lines.nextLine().equals(COLLECT)) {
					System.gc();
				}
				out.println("STATUS %d %d %d %d %d".formatted(usable.getAsInt(), lockedAt, Losses.told.get(),
						Losses.latest.get(),
						(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20));
			}
		}
	}

	private static Thread started(ChaosClient client) {
		Thread thread = new Thread(client::run, "chaos-" + client.role);
		thread.start();
		return thread;
	}

	/**
	 * Starts threads.
	 * @param template where they take locks
	 * @param count how many threads
	 * @param pace how busy they are
	 * @param goOn asked after each request, beside the server
	 * @param port of the server
	 * @return the threads
	 */
	static List<Thread> start(LockTemplate template, int count, Pace pace, BooleanSupplier goOn, int port)
			throws IOException {
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Role role = Role.values()[i % Role.ALONE.ordinal()];
			threads.add(started(new ChaosClient(template, role, role.first, pace, goOn, port)));
		}
		return threads;
	}

	/** The quarantine of a {@link RealEngine} is its longest lease. */
	static TestSettings settings(String instance) {
		return settings(instance, Duration.ofMillis(250));
	}

	private static TestSettings settings(String instance, Duration operationTimeout) {
		TestSettings defaults = TestSettings.defaults(instance);
		return new TestSettings(instance, WAIT, LEASE, LEASE, Duration.ZERO, operationTimeout, Duration.ofMillis(10),
				Duration.ofMillis(200), defaults.maxAttempts(), defaults.clockDriftFactor(), true,
				defaults.fencingRetention(), defaults.handoverMax(), defaults.handoverMaxDuration());
	}

	private void run() {
		try (this.socket) {
			boolean wanted = true;
			while (wanted && this.goOn.getAsBoolean()) {
				for (Visit visit : visit()) {
					if (this.role == Role.ALONE && visit.isGrant()) {
						lockedAt = visit.granted();
					}
					wanted = report(visit);
				}
				Thread.sleep((this.role == Role.ALONE) ? 20 : this.pace.rest.toMillis());
			}
		}
		catch (IOException | InterruptedException ex) {
			ex.printStackTrace();
			System.exit(1);
		}
	}

	private List<Visit> visit() throws IOException, InterruptedException {
		int name = this.firstName + ThreadLocalRandom.current().nextInt(this.role.count);
		Outcome kind = this.role.kind();
		LockRequest request = request(kind, name);
		long called = System.nanoTime();
		try (LockHandle lock = this.template.acquire(request)) {
			long granted = System.nanoTime();
			long heldUntil = hold(lock, name, kind != Outcome.READER, granted);
			Visit visit = new Visit((kind == Outcome.DOWNGRADED) ? Outcome.WRITER : kind, name, lock.permit(),
					lock.fencingToken(), called, granted, heldUntil);
			return (kind == Outcome.DOWNGRADED) ? downgrade(lock, visit) : List.of(visit);
		}
		catch (LockNotAcquiredException ex) {
			this.pace.failed(ex);
			return List.of(new Visit(Outcome.CONTENDED, name, 0, 0, called, System.nanoTime(), 0));
		}
		catch (LockUnavailableException ex) {
			this.pace.failed(ex);
			return List.of(new Visit(Outcome.UNAVAILABLE, name, 0, 0, called, System.nanoTime(), 0));
		}
	}

	private LockRequest request(Outcome kind, int name) {
		LockRequest request = LockRequest.of("resource").key(name);
		return switch (kind) {
			case READER -> request.shared();
			case PERMIT -> request.permits(PERMITS);
			default -> (this.role == Role.FAST && ThreadLocalRandom.current().nextBoolean()) ? request.fair() : request;
		};
	}

	private List<Visit> downgrade(LockHandle lock, Visit writer) throws IOException, InterruptedException {
		try {
			lock.downgrade();
		}
		catch (LockLostException ex) {
			return List.of(writer);
		}
		long turned = System.nanoTime();
		return List.of(writer, new Visit(Outcome.DOWNGRADED, writer.name(), 0, lock.fencingToken(), turned, turned,
				hold(lock, writer.name(), false, turned)));
	}

	/**
	 * Writes some time after it was sure of the lock, so that a pause in between makes it
	 * late.
	 * @return the last instant at which it was sure
	 */
	private long hold(LockHandle lock, int name, boolean writes, long granted)
			throws IOException, InterruptedException {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		boolean slow = this.role == Role.SLOW;
		long until = granted + random.nextLong(slow ? this.pace.longestHold.toNanos() : 20_000_000);
		long heldUntil = granted - 1;
		Losses losses = new Losses();
		lock.onLost((event) -> losses.lost());
		do {
			long now = System.nanoTime();
			losses.heldAt(now, lock.remaining());
			if (!lock.isHeld()) {
				break;
			}
			heldUntil = now;
			Thread.sleep(random.nextInt(slow ? 50 : 5));
			if (writes) {
				write(Visit.resource(name, lock.permit()), lock.fencingToken(), granted);
			}
		}
		while (heldUntil < until);
		return lastInstant(lock, heldUntil);
	}

	private static long lastInstant(LockHandle lock, long before) {
		long now = System.nanoTime();
		return lock.isHeld() ? now : before;
	}

	private boolean write(int resource, long token, long granted) throws IOException {
		this.output.writeByte(ChaosServer.WRITE);
		this.output.writeByte(resource);
		this.output.writeLong(token);
		this.output.writeLong(granted);
		return answer();
	}

	private boolean report(Visit visit) throws IOException {
		this.output.writeByte(ChaosServer.REPORT);
		this.output.writeByte(visit.outcome().ordinal());
		this.output.writeByte(visit.name());
		this.output.writeByte(visit.permit());
		this.output.writeLong(visit.token());
		this.output.writeLong(visit.called());
		this.output.writeLong(visit.granted());
		this.output.writeLong(visit.heldUntil());
		return answer();
	}

	private boolean answer() throws IOException {
		this.output.flush();
		return this.input.readBoolean();
	}

	/**
	 * When one lock was valid at least, and what became of all. A process that stood
	 * still since it last looked says nothing.
	 */
	private static final class Losses {

		private static final AtomicInteger told = new AtomicInteger();

		private static final AtomicLong latest = new AtomicLong();

		private volatile long lookedAt;

		private volatile long validUntil;

		void heldAt(long now, Duration remaining) {
			this.validUntil = now + remaining.toNanos();
			this.lookedAt = now;
		}

		void lost() {
			long now = System.nanoTime();
			told.incrementAndGet();
			if (now - this.lookedAt < 2_000_000_000) {
				latest.accumulateAndGet((now - this.validUntil) / 1_000_000, Math::max);
			}
		}

	}

	/**
	 * How busy a thread is.
	 */
	enum Pace {

		/** Some hold for longer than a lease, and ask again at once. */
		HASTY(LEASE.multipliedBy(2), Duration.ZERO),

		/**
		 * No request has to wait for long, and the machine can do other things. No
		 * request is expected to fail.
		 */
		STEADY(Duration.ofMillis(300), Duration.ofMillis(20));

		private final Duration longestHold;

		private final Duration rest;

		Pace(Duration longestHold, Duration rest) {
			this.longestHold = longestHold;
			this.rest = rest;
		}

		void failed(LockException ex) {
			if (this == STEADY) {
				ex.printStackTrace();
			}
			else {
				System.out.println(FAILED + ex);
			}
		}

	}

	/**
	 * What a thread asks for, and of which names.
	 */
	private enum Role {

		/** Held for long, so that they nearly always have a holder. */
		SLOW(0, 2),

		/** Exclusive locks, half of the requests fair. */
		FAST(2, 2),

		/** Readers, writers, and writers that become readers. */
		READ_WRITE(4, 2),

		PERMITS(6, 2),

		/** One of these names, which nobody else locks. */
		ALONE(8, 1);

		private final int first;

		private final int count;

		Role(int first, int count) {
			this.first = first;
			this.count = count;
		}

		Outcome kind() {
			if (this == PERMITS) {
				return Outcome.PERMIT;
			}
			if (this != READ_WRITE) {
				return Outcome.WRITER;
			}
			int percent = ThreadLocalRandom.current().nextInt(100);
			return (percent < 60) ? Outcome.READER : (percent < 80) ? Outcome.WRITER : Outcome.DOWNGRADED;
		}

	}

}
