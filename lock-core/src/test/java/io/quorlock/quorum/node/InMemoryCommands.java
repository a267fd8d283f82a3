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

package io.quorlock.quorum.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.InMemoryStore.Key;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.NodeReply.Inspected;
import io.quorlock.quorum.node.NodeReply.Inspected.Holder;

/**
 * The commands on an in-memory store.
 */
final class InMemoryCommands implements CommandVisitor<NodeReply> {

	private final InMemoryStore store;

	private final InMemoryMessages messages;

	private final InMemoryQueues queues;

	InMemoryCommands(InMemoryStore store, InMemoryMessages messages) {
		this.store = store;
		this.messages = messages;
		this.queues = new InMemoryQueues(store, messages);
	}

	@Override
	public NodeReply acquire(NodeCommand.Acquire command) {
		LockTarget target = command.target();
		return switch (target.kind()) {
			case EXCLUSIVE -> acquireAll(command, target, false);
			case SHARED -> acquireAll(command, target, true);
			case PERMIT -> acquirePermit(command);
		};
	}

	private NodeReply acquireAll(NodeCommand.Acquire command, LockTarget target, boolean shared) {
		List<String> names = target.names();
		String token = command.attempt().owner();
		@Nullable Ticket ticket = command.ticket();
		List<@Nullable Blocker> blockers = new ArrayList<>(names.size());
		names.forEach((name) -> blockers.add(blocker(name, ticket, shared)));
		if (blockers.stream().anyMatch(Objects::nonNull)) {
			int rank = this.queues.refuse(names, blockers, ticket, shared);
			return new NodeReply.Refused(true, blockers, longestMillis(names),
					(command.proposed() != null) ? names.stream().mapToLong(this::fence).toArray() : null, rank);
		}
		long[] proposed = command.proposed();
		long[] votes = (proposed != null) ? new long[names.size()] : null;
		for (int i = 0; i < names.size(); i++) {
			if (shared) {
				this.store.read(names.get(i), token, command.leaseMillis(), false);
			}
			else {
				this.store.own(lock(names.get(i)), token, command.leaseMillis());
			}
			if (proposed != null && votes != null) {
				long stored = fence(names.get(i));
				// R9; a reader takes no token of its own (R19)
				votes[i] = Math.max(stored + (shared ? 0 : command.range()), proposed[i]);
				this.store.fence(lock(names.get(i)), votes[i], command.fenceMillis());
			}
			this.queues.granted(names.get(i), ticket, shared);
		}
		return new NodeReply.Granted(true, votes, 0);
	}

	private NodeReply acquirePermit(NodeCommand.Acquire command) {
		String name = command.names().get(0);
		int permits = command.target().permits();
		SortedMap<String, Long> ahead = this.queues.ahead(name, command.ticket(), false);
		List<@Nullable Blocker> owners = new ArrayList<>(permits);
		for (int permit = 1; permit <= permits; permit++) {
			owners.add(owner(new Key(name, permit)));
		}
		long free = owners.stream().filter(Objects::isNull).count();
		if (free <= ahead.size()) {
			int rank = this.queues.refuse(name, command.ticket());
			owners.replaceAll(
					(owner) -> (owner != null || ahead.isEmpty()) ? owner : new Blocker.Waiting(ahead.firstKey()));
			long shortest = permits(command).stream()
				.filter((key) -> this.store.owner(key) != null)
				.mapToLong(this.store::ownedMillis)
				.min()
				.orElse(0);
			return new NodeReply.Refused(true, owners, Math.max(0, shortest), null, rank);
		}
		int permit = Math.max(1, command.hint());
		while (owners.get((permit - 1) % permits) != null) {
			permit++;
		}
		Key key = new Key(name, (permit - 1) % permits + 1);
		this.store.own(key, command.attempt().owner(), command.leaseMillis());
		this.queues.granted(name, command.ticket(), false);
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
		SortedMap<String, Long> ahead = this.queues.ahead(name, ticket, shared);
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
			this.messages.send(Attempt.channelOf(owner), new InstanceMessage.LeaseWanted(owner));
		}
		return new Blocker.Owner(owner);
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

	@Override
	public NodeReply raise(NodeCommand.Raise command) {
		for (String name : command.names()) {
			String token = command.attempt().owner();
			boolean held = isShared(command.target()) ? this.store.readers(name).containsKey(token)
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
			boolean lost = this.store.owner(key) == null || this.store.fence(key) == 0;
			Blocker other = isShared(command.target()) ? renewReader(key, command) : renewOwner(key, command);
			blockers.add(other);
			if (other != null) {
				longest = Math.max(longest, longestMillis(List.of(key.name())));
			}
			else if (command.fences() != null && (lost || command.prolong())) {
				raise(key, command.fences()[i], command.fenceMillis());
			}
		}
		return blockers.stream().allMatch(Objects::isNull) ? new NodeReply.Done(true)
				: new NodeReply.Refused(true, blockers, longest, null, 0);
	}

	private @Nullable Blocker renewOwner(Key key, NodeCommand.Renew command) {
		String token = command.attempt().owner();
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
		String token = command.attempt().owner();
		String owner = this.store.owner(key);
		if (owner != null && !owner.equals(token)) {
			return owner(key);
		}
		long left = (command.shorten() || owner == null) ? 0 : this.store.ownedMillis(key);
		this.store.read(key.name(), token, Math.max(left, command.leaseMillis()), command.shorten());
		if (this.store.disown(key)) { // it was a writer: others may read now
			this.queues.passOn(key.name(), true);
		}
		return null;
	}

	@Override
	public NodeReply release(NodeCommand.Release command) {
		return release(command, command.cooldownMillis(), 0, command.ticket(), command.failed());
	}

	@Override
	public NodeReply drop(NodeCommand.Drop command) {
		return release(command, 0, command.permit(), null, false);
	}

	private NodeReply release(NodeCommand command, long cooldownMillis, int permitToKeep, @Nullable Ticket ticket,
			boolean failed) {
		LockTarget target = command.target();
		List<String> names = target.names();
		boolean shared = isShared(target);
		String token = command.attempt().owner();
		Set<String> freed = new HashSet<>();
		for (String name : names) {
			if (shared && cooldownMillis > 0) {
				this.store.readUntil(name, token, cooldownMillis); // R25
			}
			else if (shared && this.store.stopReading(name, token)) {
				freed.add(name);
			}
			List<Key> keys = (target.kind() == LockTarget.Kind.PERMIT) ? permits(command) : List.of(lock(name));
			for (Key key : keys) {
				if (token.equals(this.store.owner(key)) && (permitToKeep == 0 || key.permit() != permitToKeep)) {
					if (cooldownMillis > 0) {
						this.store.own(key, InMemoryStore.COOLDOWN, cooldownMillis); // R18
					}
					else {
						this.store.disown(key);
						freed.add(name);
					}
				}
			}
		}
		if (ticket != null) {
			this.queues.stand(target, ticket);
		}
		names.stream()
			.filter((name) -> ticket != null || freed.contains(name))
			.forEach((name) -> this.queues.passOn(name, freed.contains(name),
					(failed && ticket != null) ? ticket.text() : ""));
		return new NodeReply.Released(true, names.stream().mapToInt((name) -> this.store.tickets(name).size()).sum());
	}

	@Override
	public NodeReply withdraw(NodeCommand.Withdraw command) {
		for (String name : command.names()) {
			if (this.store.tickets(name).remove(command.ticket()) != null) {
				this.queues.passOn(name, false);
			}
		}
		return new NodeReply.Done(true);
	}

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
			for (Holder holder : holders(name)) {
				boolean meant = holder.owner() == null || command.owners().contains(holder.owner());
				if (meant && (command.permit() == 0 || command.permit() == holder.permit())) {
					if (freed && holder.kind() == LockTarget.Kind.PERMIT) {
						// Of permits each is offered to another ticket.
						this.queues.passOn(name, true);
					}
					freed = true;
					if (holder.kind() == LockTarget.Kind.SHARED) {
						this.store.stopReading(name, String.valueOf(holder.owner()));
					}
					else {
						this.store.disown(new Key(name, holder.permit()));
					}
					notify(holder, (owner) -> new InstanceMessage.Forced(owner, command.permit()));
				}
			}
			if (freed) {
				this.queues.passOn(name, true);
			}
		}
		return new NodeReply.Done(true);
	}

	@Override
	public NodeReply requestRelease(OperatorCommand.RequestRelease command) {
		Duration deadline = Duration.ofMillis(command.deadlineMillis());
		holders(command.names().get(0)).forEach((holder) -> notify(holder,
				(owner) -> new InstanceMessage.ReleaseRequested(command.attempt().owner(), deadline, owner)));
		return new NodeReply.PassedOn(true, this.messages.connections());
	}

	private List<Holder> holders(String name) {
		return ((Inspected) inspect(new OperatorCommand.Inspect(name))).holders();
	}

	private void notify(Holder holder, Function<String, InstanceMessage> message) {
		String owner = holder.owner();
		if (owner != null) {
			this.messages.send(Attempt.channelOf(owner), message.apply(owner));
		}
	}

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

	private static boolean isShared(LockTarget target) {
		return target.kind() == LockTarget.Kind.SHARED;
	}

}
