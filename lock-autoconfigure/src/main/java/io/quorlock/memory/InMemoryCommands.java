package io.quorlock.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.quorlock.memory.InMemoryStore.Key;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandVisitor;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.NodeReply.Inspected;
import io.quorlock.quorum.node.NodeReply.Inspected.Holder;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.Ticket;

/**
 * The commands on an in-memory store.
 */
final class InMemoryCommands implements CommandVisitor<NodeReply> {

	/** No other process waits for a release. */
	private static final int NO_OTHER_INSTANCE = 0;

	private final InMemoryStore store;

	private final Map<String, String> released;

	InMemoryCommands(InMemoryStore store, Map<String, String> released) {
		this.store = store;
		this.released = released;
	}

	// ---- acquire

	@Override
	public NodeReply acquire(NodeCommand.Acquire command) {
		return (command.target().kind() == LockTarget.Kind.PERMIT) ? acquirePermit(command) : acquireAll(command);
	}

	private NodeReply acquireAll(NodeCommand.Acquire command) {
		List<String> names = command.names();
		boolean shared = isShared(command);
		List<@Nullable Blocker> blockers = new ArrayList<>(names.size());
		names.forEach((name) -> blockers.add(blocker(name, command.ticket(), shared)));
		if (blockers.stream().anyMatch(Objects::nonNull)) {
			boolean behindReaders = blockers.stream()
				.allMatch((blocker) -> blocker == null || blocker instanceof Blocker.Readers);
			names.forEach((name) -> register(name, command.ticket(), shared || behindReaders));
			return new NodeReply.Refused(true, blockers, longestMillis(names),
					(command.proposed() != null) ? names.stream().mapToLong(this::fence).toArray() : null);
		}
		long[] proposed = command.proposed();
		long[] votes = (proposed != null) ? new long[names.size()] : null;
		for (int i = 0; i < names.size(); i++) {
			if (shared) {
				this.store.read(names.get(i), command.attempt().token(), command.leaseMillis(), false);
			}
			else {
				this.store.own(lock(names.get(i)), command.attempt().token(), command.leaseMillis());
			}
			if (proposed != null && votes != null) {
				long stored = fence(names.get(i));
				// R9; a reader takes no token of its own (R19)
				votes[i] = Math.max(stored + (shared ? 0 : command.range()), proposed[i]);
				this.store.fence(lock(names.get(i)), votes[i], command.fenceMillis());
			}
		}
		return new NodeReply.Granted(true, votes);
	}

	private NodeReply acquirePermit(NodeCommand.Acquire command) {
		String name = command.names().get(0);
		int permits = command.target().permits();
		SortedMap<String, Long> ahead = ahead(name, command.ticket(), false);
		List<@Nullable Blocker> owners = new ArrayList<>(permits);
		for (int permit = 1; permit <= permits; permit++) {
			owners.add(owner(new Key(name, permit)));
		}
		long free = owners.stream().filter(Objects::isNull).count();
		if (free <= ahead.size()) {
			register(name, command.ticket(), false);
			owners.replaceAll((owner) -> (owner != null) ? owner : new Blocker.Waiting(ahead.firstKey()));
			long shortest = permits(command).stream()
				.filter((key) -> this.store.owner(key) != null)
				.mapToLong(this.store::ownedMillis)
				.min()
				.orElse(0);
			return new NodeReply.Refused(true, owners, Math.max(0, shortest), null);
		}
		int permit = Math.max(1, command.hint());
		while (owners.get((permit - 1) % permits) != null) {
			permit++;
		}
		Key key = new Key(name, (permit - 1) % permits + 1);
		this.store.own(key, command.attempt().token(), command.leaseMillis());
		long[] proposed = command.proposed();
		if (proposed == null) {
			return new NodeReply.Granted(true, null, key.permit());
		}
		long vote = Math.max(this.store.fence(key) + command.range(), proposed[0]);
		this.store.fence(key, vote, command.fenceMillis());
		return new NodeReply.Granted(true, new long[] { vote }, key.permit());
	}

	private @Nullable Blocker blocker(String name, @Nullable Ticket ticket, boolean shared) {
		Blocker owner = owner(lock(name));
		if (owner != null) {
			return owner;
		}
		if (!shared && !this.store.readers(name).isEmpty()) {
			return new Blocker.Readers(List.copyOf(this.store.readers(name).keySet()));
		}
		SortedMap<String, Long> ahead = ahead(name, ticket, shared);
		return ahead.isEmpty() ? null : new Blocker.Waiting(ahead.firstKey());
	}

	private @Nullable Blocker owner(Key key) {
		String owner = this.store.owner(key);
		if (owner == null) {
			return null;
		}
		if (owner.equals(InMemoryStore.COOLDOWN)) {
			return new Blocker.Cooldown();
		}
		if (Attempt.isRetainable(owner)) {
			this.released.put(LockNode.INSTANCE + Attempt.instanceOf(owner),
					new InstanceMessage.LeaseWanted(List.of(owner)).text());
		}
		return new Blocker.Owner(owner);
	}

	/** R21: readers obey writers alone. */
	private SortedMap<String, Long> ahead(String name, @Nullable Ticket ticket, boolean shared) {
		SortedMap<String, Long> ahead = this.store.tickets(name).headMap((ticket != null) ? ticket.text() : "");
		if (!shared) {
			return ahead;
		}
		SortedMap<String, Long> writers = new TreeMap<>(ahead);
		writers.keySet().removeIf(Ticket::isShared);
		return writers;
	}

	private void register(String name, @Nullable Ticket ticket, boolean behindReaders) {
		if (ticket != null && (ticket.registration() == Ticket.Registration.WHEN_REFUSED
				|| (ticket.registration() == Ticket.Registration.BEHIND_READERS && behindReaders))) {
			this.store.register(name, ticket.text(), ticket.patienceMillis());
		}
	}

	private long longestMillis(List<String> names) {
		return names.stream()
			.mapToLong((name) -> this.store.readers(name)
				.values()
				.stream()
				.mapToLong(this.store::millisUntil)
				.reduce(this.store.ownedMillis(lock(name)), Math::max))
			.reduce(0, Math::max);
	}

	// ---- what a holder asks

	@Override
	public NodeReply raise(NodeCommand.Raise command) {
		for (String name : command.names()) {
			String token = command.attempt().token();
			boolean held = isShared(command) ? this.store.readers(name).containsKey(token)
					: token.equals(this.store.owner(new Key(name, command.permit())));
			if (!held) {
				return new NodeReply.NotHeld(true);
			}
		}
		raise(command.names(), command.permit(), command.fences(), command.fenceMillis());
		return new NodeReply.Done(true);
	}

	private void raise(List<String> names, int permit, long[] fences, long fenceMillis) {
		for (int i = 0; i < names.size(); i++) {
			raise(new Key(names.get(i), permit), fences[i], fenceMillis);
		}
	}

	private void raise(Key key, long fence, long fenceMillis) {
		this.store.fence(key, Math.max(this.store.fence(key), fence), fenceMillis);
	}

	@Override
	public NodeReply renew(NodeCommand.Renew command) {
		List<@Nullable Blocker> blockers = new ArrayList<>();
		long longest = 0;
		for (int i = 0; i < command.names().size(); i++) {
			Key key = new Key(command.names().get(i), command.permit());
			Blocker other = isShared(command) ? renewReader(key, command) : renewOwner(key, command);
			blockers.add(other);
			if (other != null) {
				longest = Math.max(longest, longestMillis(List.of(key.name())));
			}
			else if (command.fences() != null) {
				raise(key, command.fences()[i], command.fenceMillis());
			}
		}
		return blockers.stream().allMatch(Objects::isNull) ? new NodeReply.Done(true)
				: new NodeReply.Refused(true, blockers, longest, null);
	}

	private @Nullable Blocker renewOwner(Key key, NodeCommand.Renew command) {
		String token = command.attempt().token();
		String owner = this.store.owner(key);
		if (owner != null && !owner.equals(token)) {
			return owner(key);
		}
		if (key.permit() == 0 && !this.store.readers(key.name()).isEmpty()) {
			return new Blocker.Readers(List.copyOf(this.store.readers(key.name()).keySet()));
		}
		long left = (command.shorten() || owner == null) ? 0 : this.store.ownedMillis(key);
		this.store.own(key, token, Math.max(left, command.leaseMillis())); // R6
		return null;
	}

	private @Nullable Blocker renewReader(Key key, NodeCommand.Renew command) {
		String token = command.attempt().token();
		String owner = this.store.owner(key);
		if (owner != null && !owner.equals(token)) {
			return owner(key);
		}
		long left = (command.shorten() || owner == null) ? 0 : this.store.ownedMillis(key);
		this.store.read(key.name(), token, Math.max(left, command.leaseMillis()), command.shorten());
		if (this.store.disown(key)) { // it was a writer: others may read now
			free(key.name());
		}
		return null;
	}

	@Override
	public NodeReply release(NodeCommand.Release command) {
		return release(command, command.cooldownMillis(), 0);
	}

	@Override
	public NodeReply drop(NodeCommand.Drop command) {
		return release(command, 0, command.permit());
	}

	private NodeReply release(NodeCommand command, long cooldownMillis, int permitToKeep) {
		String token = command.attempt().token();
		for (String name : command.names()) {
			if (isShared(command) && cooldownMillis > 0) {
				this.store.readUntil(name, token, cooldownMillis); // R25
			}
			else if (isShared(command) && this.store.stopReading(name, token)) {
				free(name);
			}
			List<Key> keys = (command.target().kind() == LockTarget.Kind.PERMIT) ? permits(command)
					: List.of(lock(name));
			for (Key key : keys) {
				if (token.equals(this.store.owner(key)) && (permitToKeep == 0 || key.permit() != permitToKeep)) {
					release(key, cooldownMillis);
				}
			}
		}
		return new NodeReply.Released(true, NO_OTHER_INSTANCE);
	}

	private void release(Key key, long cooldownMillis) {
		if (cooldownMillis > 0) {
			this.store.own(key, InMemoryStore.COOLDOWN, cooldownMillis); // R18
		}
		else {
			this.store.disown(key);
			free(key.name());
		}
	}

	private void free(String name) {
		SortedMap<String, Long> tickets = this.store.tickets(name);
		this.released.put(name, tickets.isEmpty() ? "" : tickets.firstKey());
	}

	@Override
	public NodeReply withdraw(NodeCommand.Withdraw command) {
		for (String name : command.names()) {
			if (this.store.tickets(name).remove(command.ticket()) != null && this.store.owner(lock(name)) == null) {
				free(name);
			}
		}
		return new NodeReply.Done(true);
	}

	// ---- what operators ask

	@Override
	public NodeReply inspect(OperatorCommand.Inspect command) {
		String name = command.names().get(0);
		List<Holder> holders = new ArrayList<>();
		if (this.store.owner(lock(name)) != null) {
			holders.add(holder(lock(name), LockTarget.Kind.EXCLUSIVE));
		}
		this.store.readers(name)
			.forEach((token, until) -> holders
				.add(new Holder(token, LockTarget.Kind.SHARED, 0, this.store.millisUntil(until))));
		List<Key> permits = this.store.permits(name);
		permits.sort(Comparator.comparingInt(Key::permit));
		permits.stream()
			.filter((key) -> this.store.owner(key) != null)
			.forEach((key) -> holders.add(holder(key, LockTarget.Kind.PERMIT)));
		long fence = permits.stream().mapToLong(this.store::fence).reduce(fence(name), Math::max);
		return new NodeReply.Inspected(true, holders, List.copyOf(this.store.tickets(name).keySet()), fence);
	}

	private Holder holder(Key key, LockTarget.Kind kind) {
		String owner = this.store.owner(key);
		return new Holder(InMemoryStore.COOLDOWN.equals(owner) ? null : owner, kind, key.permit(),
				this.store.ownedMillis(key));
	}

	@Override
	public NodeReply forceRelease(OperatorCommand.ForceRelease command) {
		for (String name : command.names()) {
			boolean freed = false;
			for (Key key : this.store.permits(name)) {
				freed |= (command.permit() == 0 || command.permit() == key.permit()) && this.store.disown(key);
			}
			if (command.permit() == 0) {
				freed |= this.store.disown(lock(name)) | !this.store.readers(name).isEmpty();
				this.store.stopReading(name);
			}
			if (freed) {
				free(name);
			}
		}
		return new NodeReply.Done(true);
	}

	@Override
	public NodeReply requestRelease(OperatorCommand.RequestRelease command) {
		Inspected held = (Inspected) inspect(new OperatorCommand.Inspect(command.names().get(0)));
		for (Holder holder : held.holders()) {
			String owner = (holder.owner() != null) ? holder.owner() : "";
			String instance = Attempt.instanceOf(owner);
			if (!instance.isEmpty()) {
				this.released.merge(LockNode.INSTANCE + instance,
						new InstanceMessage.ReleaseRequested(command.attempt().token(),
								Duration.ofMillis(command.deadlineMillis()), List.of(owner))
							.text(),
						(message, another) -> message + "\n" + owner);
			}
		}
		return new NodeReply.Released(true, NO_OTHER_INSTANCE);
	}

	// ---- small things

	private static List<Key> permits(NodeCommand command) {
		String name = command.names().get(0);
		return IntStream.rangeClosed(1, command.target().permits())
			.mapToObj((permit) -> new Key(name, permit))
			.toList();
	}

	private static Key lock(String name) {
		return new Key(name, 0);
	}

	private long fence(String name) {
		return this.store.fence(lock(name));
	}

	private static boolean isShared(NodeCommand command) {
		return command.target().kind() == LockTarget.Kind.SHARED;
	}

}
