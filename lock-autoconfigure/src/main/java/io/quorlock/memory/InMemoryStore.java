package io.quorlock.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

/**
 * Owners and fences by the name of the lock, each with an expiry, and the commands on
 * them. Not thread-safe.
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

	/**
	 * Carry out a command.
	 * @param command the command
	 * @param released receives the names that became free
	 */
	NodeReply execute(NodeCommand command, List<String> released) {
		sweepNowAndThen();
		return command.accept(new Execution(released));
	}

	int size() {
		return this.owners.size() + this.fences.size();
	}

	private @Nullable String ownerOf(String name) {
		Entry<String> entry = this.owners.get(name);
		return (entry != null && !isExpired(entry)) ? entry.value() : null;
	}

	private long remainingMillis(String name) {
		Entry<String> entry = Objects.requireNonNull(this.owners.get(name));
		return TimeUnit.NANOSECONDS.toMillis(entry.expiresAt() - this.clock.nanoTime());
	}

	private long storedFence(String name) {
		Entry<Long> entry = this.fences.get(name);
		return (entry != null && !isExpired(entry)) ? entry.value() : 0;
	}

	private <T> void put(Map<String, Entry<T>> map, String name, T value, long millis) {
		map.put(name, new Entry<>(value, this.clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis)));
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

	private final class Execution implements NodeCommand.Visitor<NodeReply> {

		private final List<String> released;

		private Execution(List<String> released) {
			this.released = released;
		}

		@Override
		public NodeReply acquire(NodeCommand.Acquire command) {
			List<String> names = command.names();
			long[] proposed = command.proposed();
			NodeReply refusal = refusal(names, "", (proposed != null) ? storedFences(names) : null);
			if (refusal != null) {
				return refusal;
			}
			long[] votes = (proposed != null) ? new long[names.size()] : null;
			for (int i = 0; i < names.size(); i++) {
				put(InMemoryStore.this.owners, names.get(i), command.attempt().token(), command.leaseMillis());
				if (proposed != null && votes != null) {
					votes[i] = Math.max(storedFence(names.get(i)) + command.range(), proposed[i]); // R9
					put(InMemoryStore.this.fences, names.get(i), votes[i], command.fenceMillis());
				}
			}
			return new NodeReply.Granted(true, votes);
		}

		@Override
		public NodeReply raise(NodeCommand.Raise command) {
			List<String> names = command.names();
			String token = command.attempt().token();
			if (!names.stream().allMatch((name) -> token.equals(ownerOf(name)))) {
				return new NodeReply.NotHeld(true);
			}
			for (int i = 0; i < names.size(); i++) {
				raiseFence(names.get(i), command.fences()[i], command.fenceMillis());
			}
			return new NodeReply.Done(true);
		}

		@Override
		public NodeReply renew(NodeCommand.Renew command) {
			List<String> names = command.names();
			String token = command.attempt().token();
			long[] fences = command.fences();
			NodeReply refusal = refusal(names, token, null);
			for (int i = 0; i < names.size(); i++) {
				String name = names.get(i);
				String owner = ownerOf(name);
				if (owner == null || owner.equals(token)) {
					long left = (command.shorten() || owner == null) ? 0 : remainingMillis(name);
					put(InMemoryStore.this.owners, name, token, Math.max(left, command.leaseMillis())); // R6
					if (fences != null) {
						raiseFence(name, fences[i], command.fenceMillis());
					}
				}
			}
			return (refusal != null) ? refusal : new NodeReply.Done(true);
		}

		@Override
		public NodeReply release(NodeCommand.Release command) {
			String token = command.attempt().token();
			for (String name : command.names()) {
				if (token.equals(ownerOf(name))) {
					if (command.cooldownMillis() > 0) {
						put(InMemoryStore.this.owners, name, NodeReply.COOLDOWN, command.cooldownMillis()); // R18
					}
					else {
						free(name);
					}
				}
			}
			return new NodeReply.Released(true, NO_OTHER_INSTANCE);
		}

		@Override
		public NodeReply inspect(NodeCommand.Inspect command) {
			String name = command.names().get(0);
			String owner = ownerOf(name);
			return new NodeReply.Inspected(true, owner, (owner != null) ? remainingMillis(name) : 0,
					NodeReply.COOLDOWN.equals(owner), storedFence(name));
		}

		@Override
		public NodeReply forceRelease(NodeCommand.ForceRelease command) {
			command.names().forEach(this::free);
			return new NodeReply.Done(true);
		}

		private void free(String name) {
			if (InMemoryStore.this.owners.remove(name) != null) {
				this.released.add(name);
			}
		}

		private @Nullable NodeReply refusal(List<String> names, String token, long @Nullable [] stored) {
			List<@Nullable String> others = new ArrayList<>(names.size());
			long longest = -1;
			for (String name : names) {
				String owner = ownerOf(name);
				boolean taken = owner != null && !owner.equals(token);
				others.add(taken ? owner : null);
				longest = taken ? Math.max(longest, remainingMillis(name)) : longest;
			}
			return (longest >= 0) ? NodeReply.Refused.of(true, others, longest, stored) : null;
		}

		private long[] storedFences(List<String> names) {
			return names.stream().mapToLong(InMemoryStore.this::storedFence).toArray();
		}

		private void raiseFence(String name, long fence, long fenceMillis) {
			put(InMemoryStore.this.fences, name, Math.max(storedFence(name), fence), fenceMillis);
		}

	}

}
