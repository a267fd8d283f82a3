package io.quorlock.system;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.TestSettings;
import io.quorlock.system.ChaosHistory.Outcome;
import io.quorlock.system.ChaosHistory.Visit;

/**
 * A process of a chaos run: threads that take locks, write to what these protect, and
 * report what they saw, until they are told to end or the server is gone.
 */
final class ChaosClient {

	static final Duration LEASE = Duration.ofSeconds(2);

	private static final Duration OPERATION_TIMEOUT = Duration.ofMillis(250);

	private static final Duration WAIT = Duration.ofSeconds(1);

	/** Locks that are held for long, so that nearly always somebody holds them. */
	private static final int SLOW_NAMES = 2;

	private static final int FAST_NAMES = 4;

	private final RealEngine engine;

	private final Socket socket;

	private final DataInputStream input;

	private final DataOutputStream output;

	private ChaosClient(RealEngine engine, int port) throws IOException {
		this.engine = engine;
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setTcpNoDelay(true);
		this.input = new DataInputStream(this.socket.getInputStream());
		this.output = new DataOutputStream(new BufferedOutputStream(this.socket.getOutputStream()));
	}

	/** Arguments: instance, port of the server, threads, node URIs. */
	public static void main(String[] args) throws Exception {
		List<String> uris = List.of(args).subList(3, args.length);
		RealEngine engine = RealEngine.start(settings(args[0]), uris);
		System.out.println("READY");
		// Nobody reads what is logged from now on, and there is much of it.
		System.setOut(new PrintStream(OutputStream.nullOutputStream()));
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < Integer.parseInt(args[2]); i++) {
			boolean slow = i < SLOW_NAMES;
			ChaosClient client = new ChaosClient(engine, Integer.parseInt(args[1]));
			Thread thread = new Thread(() -> client.run(slow));
			threads.add(thread);
			thread.start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		engine.close();
		System.exit(0);
	}

	/** The quarantine of a {@link RealEngine} is its longest lease. */
	static TestSettings settings(String instance) {
		TestSettings defaults = TestSettings.defaults(instance);
		return new TestSettings(instance, WAIT, LEASE, LEASE, Duration.ZERO, OPERATION_TIMEOUT, Duration.ofMillis(10),
				Duration.ofMillis(200), defaults.maxAttempts(), defaults.clockDriftFactor(), true,
				defaults.fencingRetention(), defaults.handoverMax(), defaults.handoverMaxDuration());
	}

	private void run(boolean slow) {
		try (this.socket) {
			boolean goOn = true;
			while (goOn) {
				ThreadLocalRandom random = ThreadLocalRandom.current();
				int name = slow ? random.nextInt(SLOW_NAMES) : SLOW_NAMES + random.nextInt(FAST_NAMES);
				goOn = report(visit(name));
			}
		}
		catch (IOException | InterruptedException ex) {
			ex.printStackTrace();
			System.exit(1);
		}
	}

	private Visit visit(int name) throws IOException, InterruptedException {
		long called = System.nanoTime();
		try (LockHandle lock = this.engine.template.acquire(LockRequest.of("resource").key(name))) {
			long granted = System.nanoTime();
			return new Visit(Outcome.GRANTED, name, lock.fencingToken(), called, granted, hold(lock, name, granted));
		}
		catch (LockNotAcquiredException ex) {
			return new Visit(Outcome.CONTENDED, name, 0, called, System.nanoTime(), 0);
		}
		catch (LockUnavailableException ex) {
			return new Visit(Outcome.UNAVAILABLE, name, 0, called, System.nanoTime(), 0);
		}
	}

	/**
	 * Writes some time after it was sure of the lock, so that a pause in between makes it
	 * late.
	 * @return the last instant at which it was sure
	 */
	private long hold(LockHandle lock, int name, long granted) throws IOException, InterruptedException {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		boolean slow = name < SLOW_NAMES;
		long until = granted + random.nextLong(slow ? 2 * LEASE.toNanos() : 20_000_000);
		long heldUntil = granted - 1;
		do {
			long now = System.nanoTime();
			if (!lock.isHeld()) {
				break;
			}
			heldUntil = now;
			Thread.sleep(random.nextInt(slow ? 50 : 5));
			write(name, lock.fencingToken(), granted);
		}
		while (heldUntil < until);
		return lastInstant(lock, heldUntil);
	}

	private static long lastInstant(LockHandle lock, long before) {
		long now = System.nanoTime();
		return lock.isHeld() ? now : before;
	}

	private boolean write(int name, long token, long granted) throws IOException {
		this.output.writeByte(ChaosServer.WRITE);
		this.output.writeByte(name);
		this.output.writeLong(token);
		this.output.writeLong(granted);
		return answer();
	}

	private boolean report(Visit visit) throws IOException {
		this.output.writeByte(ChaosServer.REPORT);
		this.output.writeByte(visit.outcome().ordinal());
		this.output.writeByte(visit.name());
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

}
