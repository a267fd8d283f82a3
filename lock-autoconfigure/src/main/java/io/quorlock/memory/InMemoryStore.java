package io.quorlock.memory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.node.LockKeys;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

/**
 * Keys with an expiry, and the commands on them. Not thread-safe.
 */
final class InMemoryStore {

	/** The store is of one process: nobody else waits for what is released here. */
	private static final int NO_OTHER_INSTANCE = 0;

	private static final int COMMANDS_BETWEEN_SWEEPS = 1024;

	private final EngineClock clock;

	private final Map<String, Entry<String>> owners = new HashMap<>();

	private final Map<String, Entry<Long>> fences = new HashMap<>();

	private int commandsUntilSweep = COMMANDS_BETWEEN_SWEEPS;

	InMemoryStore(EngineClock clock) {
		this.clock = clock;
	}

	NodeReply execute(NodeCommand command, List<String> released) {
		sweepNowAndThen();
		if (command instanceof NodeCommand.Acquire acquire) {
			return acquire(acquire);
		}
		if (command instanceof NodeCommand.Raise raise) {
			return raise(raise);
		}
		if (command instanceof NodeCommand.Renew renew) {
			return renew(renew);
		}
		if (command instanceof NodeCommand.Release release) {
			return release(release, released);
		}
		if (command instanceof NodeCommand.ForceRelease) {
			return forceRelease(command.keys(), released);
		}
		return inspect(command.keys());
	}

	int size() {
		return this.owners.size() + this.fences.size();
	}

	private NodeReply acquire(NodeCommand.Acquire command) {
		LockKeys keys = command.keys();
		long[] proposed = command.proposed();
		for (int i = 0; i < keys.size(); i++) {
			if (ownerOf(keys.lockKey(i)) != null) {
				return refused(keys, i, (proposed != null) ? storedFences(keys) : null);
			}
		}
		long[] votes = (proposed != null) ? new long[keys.size()] : null;
		for (int i = 0; i < keys.size(); i++) {
			put(this.owners, keys.lockKey(i), command.attempt().token(), command.leaseMillis());
			if (proposed != null && votes != null) {
				votes[i] = Math.max(storedFence(keys, i) + command.range(), proposed[i]); // R9
				put(this.fences, keys.fenceKey(i), votes[i], command.fenceMillis());
			}
		}
		return NodeReply.ok(true, votes);
	}

	private NodeReply raise(NodeCommand.Raise command) {
		LockKeys keys = command.keys();
		for (int i = 0; i < keys.size(); i++) {
			if (!command.attempt().token().equals(ownerOf(keys.lockKey(i)))) {
				return refused(keys, i, storedFences(keys));
			}
		}
		for (int i = 0; i < keys.size(); i++) {
			raiseFence(keys, i, command.fences(), command.fenceMillis());
		}
		return NodeReply.ok(true, storedFences(keys));
	}

	private NodeReply renew(NodeCommand.Renew command) {
		LockKeys keys = command.keys();
		String token = command.attempt().token();
		int taken = -1;
		for (int i = keys.size() - 1; i >= 0; i--) {
			String owner = ownerOf(keys.lockKey(i));
			if (owner != null && !owner.equals(token)) {
				taken = i;
			}
			else {
				long left = (command.shorten() || owner == null) ? 0 : remainingMillis(keys.lockKey(i));
				put(this.owners, keys.lockKey(i), token, Math.max(left, command.leaseMillis())); // R6
				raiseFence(keys, i, command.fences(), command.fenceMillis());
			}
		}
		return (taken < 0) ? NodeReply.ok(true, null) : refused(keys, taken, null);
	}

	private NodeReply release(NodeCommand.Release command, List<String> released) {
		LockKeys keys = command.keys();
		String token = command.attempt().token();
		for (int i = 0; i < keys.size(); i++) {
			String lockKey = keys.lockKey(i);
			if (token.equals(ownerOf(lockKey))) {
				if (command.cooldownMillis() > 0) {
					put(this.owners, lockKey, token, command.cooldownMillis()); // R18
				}
				else {
					this.owners.remove(lockKey);
					released.add(lockKey);
				}
			}
		}
		return NodeReply.released(true, NO_OTHER_INSTANCE);
	}

	private NodeReply forceRelease(LockKeys keys, List<String> released) {
		for (int i = 0; i < keys.size(); i++) {
			if (this.owners.remove(keys.lockKey(i)) != null) {
				released.add(keys.lockKey(i));
			}
		}
		return NodeReply.released(true, NO_OTHER_INSTANCE);
	}

	private NodeReply inspect(LockKeys keys) {
		long[] fence = { storedFence(keys, 0) };
		return (ownerOf(keys.lockKey(0)) != null) ? refused(keys, 0, fence) : NodeReply.ok(true, fence);
	}

	private NodeReply refused(LockKeys keys, int index, long @Nullable [] stored) {
		String lockKey = keys.lockKey(index);
		return NodeReply.refused(true, ownerOf(lockKey), remainingMillis(lockKey), stored);
	}

	private @Nullable String ownerOf(String lockKey) {
		Entry<String> entry = this.owners.get(lockKey);
		return (entry != null && !isExpired(entry)) ? entry.value() : null;
	}

	private long remainingMillis(String lockKey) {
		Entry<String> entry = Objects.requireNonNull(this.owners.get(lockKey));
		return TimeUnit.NANOSECONDS.toMillis(entry.expiresAt() - this.clock.nanoTime());
	}

	private long[] storedFences(LockKeys keys) {
		long[] stored = new long[keys.size()];
		for (int i = 0; i < stored.length; i++) {
			stored[i] = storedFence(keys, i);
		}
		return stored;
	}

	private long storedFence(LockKeys keys, int index) {
		Entry<Long> entry = this.fences.get(keys.fenceKey(index));
		return (entry != null && !isExpired(entry)) ? entry.value() : 0;
	}

	private void raiseFence(LockKeys keys, int index, long @Nullable [] fences, long fenceMillis) {
		if (fences != null) {
			put(this.fences, keys.fenceKey(index), Math.max(storedFence(keys, index), fences[index]), fenceMillis);
		}
	}

	private <T> void put(Map<String, Entry<T>> map, String key, T value, long millis) {
		map.put(key, new Entry<>(value, this.clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis)));
	}

	private boolean isExpired(Entry<?> entry) {
		return entry.expiresAt() - this.clock.nanoTime() <= 0;
	}

	private void sweepNowAndThen() {
		this.commandsUntilSweep--;
		if (this.commandsUntilSweep <= 0) {
			this.commandsUntilSweep = COMMANDS_BETWEEN_SWEEPS;
			this.owners.values().removeIf(this::isExpired);
			this.fences.values().removeIf(this::isExpired);
		}
	}

	private record Entry<T>(T value, long expiresAt) {
	}

}
