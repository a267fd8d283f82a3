package io.quorlock.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Threads of this process that want the same name stand in line; only the head asks the
 * nodes (R13). A line is occupied by the acquisition that asks, then by the lease that it
 * got, until that ends.
 */
final class LocalLines {

	private final LockEngine engine;

	private final ConcurrentHashMap<String, Line> lines = new ConcurrentHashMap<>();

	LocalLines(LockEngine engine) {
		this.engine = engine;
	}

	/**
	 * Occupies all lines of the keys, or none: nobody waits for one name while it keeps
	 * another from those who could go on.
	 * @param has a line that the acquisition occupies already, given up on failure
	 * @return the first line that is not free, or null if all are occupied now
	 */
	@Nullable String enterAll(List<String> keys, Acquisition acquisition, @Nullable String has) {
		List<String> names = keys;
		for (int i = 0; i < names.size(); i++) {
			String name = names.get(i);
			if (!name.equals(has) && !enter(name, acquisition, false)) {
				for (int entered = 0; entered < i; entered++) {
					leave(names.get(entered), acquisition, 0);
				}
				if (has != null) {
					leave(has, acquisition, 0);
				}
				return name;
			}
		}
		return null;
	}

	/**
	 * Occupies a line if it is free, otherwise may wait in it.
	 * @return whether it was occupied
	 */
	boolean enter(String name, Acquisition acquisition, boolean wait) {
		boolean[] entered = new boolean[1];
		this.lines.compute(name, (key, line) -> {
			if (line == null) {
				entered[0] = true;
				return new Line(acquisition);
			}
			if (wait) {
				line.waiting.add(acquisition);
			}
			return line;
		});
		return entered[0];
	}

	/** The head was granted what it asked for. */
	void granted(List<String> keys, Acquisition acquisition, Lease lease) {
		for (String name : keys) {
			this.lines.computeIfPresent(name, (key, line) -> {
				if (line.occupant == acquisition) {
					line.occupant = lease;
					if (acquisition.attempts() > 1) {
						line.lastRelease = null; // others have had it since
					}
				}
				return line;
			});
		}
	}

	/** Leaves the lines and tells the next in each. */
	void leave(List<String> keys, Object occupant, long yieldNanos) {
		for (String name : keys) {
			leave(name, occupant, yieldNanos);
		}
	}

	void leave(String name, Object occupant, long yieldNanos) {
		Acquisition[] next = new Acquisition[1];
		this.lines.computeIfPresent(name, (key, line) -> {
			if (line.occupant != occupant) {
				return line;
			}
			next[0] = line.waiting.poll();
			if (next[0] == null) {
				return null;
			}
			line.occupant = next[0];
			return line;
		});
		if (next[0] != null) {
			next[0].onTurn(name, yieldNanos);
		}
	}

	/** Stops waiting in a line; the turn may be under way all the same. */
	void cancel(String name, Acquisition acquisition) {
		this.lines.computeIfPresent(name, (key, line) -> {
			line.waiting.remove(acquisition);
			return line;
		});
	}

	/** Who occupies a line: an acquisition that asks, or a lease. */
	@Nullable Object occupant(String name) {
		Line line = this.lines.get(name);
		return (line != null) ? line.occupant : null;
	}

	/** Who waits in a line of the keys. */
	private @Nullable Acquisition first(List<String> keys) {
		Acquisition[] first = new Acquisition[1];
		for (String name : keys) {
			this.lines.computeIfPresent(name, (key, line) -> {
				first[0] = (first[0] != null) ? first[0] : line.waiting.peek();
				return line;
			});
		}
		return first[0];
	}

	/**
	 * Releases a lease and leaves its lines. If nobody elsewhere heard of the release
	 * before, the next in line asks behind this one, on the same connections. Otherwise
	 * it asks once this one is confirmed, since only then is known whether it has to give
	 * way. It listens meanwhile, from behind the release on: so it misses no release of
	 * those to whom it gives way, and does not hear this one. What it sends goes with the
	 * release.
	 */
	CompletableFuture<@Nullable Void> leave(List<String> keys, Lease lease, Release release) {
		Acquisition next = first(keys);
		// R17: others may be kept out for a range that nobody knows them in, not longer.
		boolean alone = lease.isYoung() && isAlone(keys);
		CompletableFuture<@Nullable Void> done = (next != null) ? release.enqueue() : release.start();
		keys.forEach((name) -> this.lines.computeIfPresent(name, (key, line) -> {
			line.lastRelease = release;
			return line;
		}));
		if (next == null) {
			leave(keys, lease, 0);
			return done;
		}
		if (alone) {
			leave(keys, lease, 0);
		}
		else {
			next.listen();
			done.thenRun(() -> leave(keys, lease, (release.listeners() > 0) ? this.engine.randomDelayNanos(0) : 0));
		}
		this.engine.quorum().flush();
		return done;
	}

	/** Whether nobody elsewhere waited for the names when they were released before. */
	private boolean isAlone(List<String> keys) {
		for (String name : keys) {
			Line line = this.lines.get(name);
			Release last = (line != null) ? line.lastRelease : null;
			if (last == null || !last.isUnheard()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Offers a lease to those who wait, first come first served.
	 * @return whether somebody took it
	 */
	boolean handOver(List<String> keys, Lease lease, Predicate<Acquisition> offer) {
		String name = keys.get(0);
		while (true) {
			Acquisition[] next = new Acquisition[1];
			this.lines.computeIfPresent(name, (key, line) -> {
				Acquisition first = line.waiting.peek();
				if (line.occupant == lease && first != null && Lease.isHandOverRequest(first.request())) {
					next[0] = line.waiting.poll();
				}
				return line;
			});
			if (next[0] == null) {
				return false;
			}
			if (offer.test(next[0])) {
				return true;
			}
		}
	}

	private static final class Line {

		private volatile Object occupant;

		private volatile @Nullable Release lastRelease;

		/** Guarded by the map's lock on the name. */
		private final Deque<Acquisition> waiting = new ArrayDeque<>(4);

		private Line(Acquisition occupant) {
			this.occupant = occupant;
		}

	}

}
