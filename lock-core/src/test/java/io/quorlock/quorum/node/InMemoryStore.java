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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.quorlock.time.LockClock;

/**
 * Owners, readers, tickets and fences, each with an expiry. Not thread-safe.
 */
final class InMemoryStore {

	/** Stands for the owner of a name that cools down (R18): it is no token. */
	static final String COOLDOWN = "~cooldown";

	private static final int COMMANDS_BETWEEN_SWEEPS = 1024;

	/**
	 * What has an owner and a fence.
	 *
	 * @param name the lock
	 * @param permit the number of the permit, 0 for the lock itself
	 */
	record Key(String name, int permit) {
	}

	private final LockClock clock;

	private final Map<Key, Entry<String>> owners = new HashMap<>();

	private final Map<Key, Entry<Long>> fences = new HashMap<>();

	/** By name: tokens, and when their leases end. */
	private final Map<String, TreeMap<String, Long>> readers = new HashMap<>();

	/** By name: tickets, and when they expire. */
	private final Map<String, TreeMap<String, Long>> tickets = new HashMap<>();

	/** The instances that listen, each through a node object of its own. */
	private final Map<String, InMemoryLockNode> listening = new ConcurrentHashMap<>();

	/** Guards the store. */
	private final ReentrantLock lock = new ReentrantLock();

	private int commandsUntilSweep = COMMANDS_BETWEEN_SWEEPS;

	InMemoryStore(LockClock clock) {
		this.clock = clock;
	}

	/**
	 * Carry out a command.
	 * @param command the command
	 * @param messages receives the messages to instances
	 */
	NodeReply execute(NodeCommand command, InMemoryMessages messages) {
		sweepNowAndThen();
		return command.accept(new InMemoryCommands(this, messages));
	}

	ReentrantLock lock() {
		return this.lock;
	}

	/** Return the instances that listen; not guarded by the lock. */
	Map<String, InMemoryLockNode> listening() {
		return this.listening;
	}

	int size() {
		return this.owners.size() + this.fences.size() + this.readers.size() + this.tickets.size();
	}

	@Nullable String owner(Key key) {
		Entry<String> entry = this.owners.get(key);
		return (entry != null && !isOver(entry.expiresAt())) ? entry.value() : null;
	}

	long ownedMillis(Key key) {
		Entry<String> entry = this.owners.get(key);
		return (entry != null) ? millisUntil(entry.expiresAt()) : 0;
	}

	void own(Key key, String owner, long millis) {
		this.owners.put(key, new Entry<>(owner, in(millis)));
	}

	boolean disown(Key key) {
		boolean owned = owner(key) != null;
		this.owners.remove(key);
		return owned;
	}

	List<Key> permits(String name) {
		List<Key> permits = new ArrayList<>();
		this.owners.keySet()
			.stream()
			.filter((key) -> key.permit() > 0 && key.name().equals(name))
			.forEach(permits::add);
		return permits;
	}

	int permitsInUse(String name) {
		return (int) permits(name).stream().filter((key) -> owner(key) != null).count();
	}

	long fence(Key key) {
		Entry<Long> entry = this.fences.get(key);
		return (entry != null && !isOver(entry.expiresAt())) ? entry.value() : 0;
	}

	void fence(Key key, long fence, long millis) {
		this.fences.put(key, new Entry<>(fence, in(millis)));
	}

	SortedMap<String, Long> readers(String name) {
		return live(this.readers, name);
	}

	/** A reader's lease, longer than the one it has unless it may be shortened. */
	void read(String name, String token, long millis, boolean shorten) {
		Map<String, Long> all = this.readers.computeIfAbsent(name, (key) -> new TreeMap<>());
		all.merge(token, in(millis), (before, now) -> shorten ? now : Math.max(before, now));
	}

	/** Return whether the last reader left. */
	boolean stopReading(String name, String token) {
		Map<String, Long> all = readers(name);
		return all.remove(token) != null && all.isEmpty();
	}

	/** A reader's lease ends then, whether or not it would have ended sooner. */
	void readUntil(String name, String token, long millis) {
		readers(name).computeIfPresent(token, (key, before) -> in(millis));
	}

	SortedMap<String, Long> tickets(String name) {
		return live(this.tickets, name);
	}

	/** Write a ticket down, or give it another life. */
	void register(String name, Ticket ticket) {
		this.tickets.computeIfAbsent(name, (key) -> new TreeMap<>()).put(ticket.text(), in(ticket.lifeMillis()));
	}

	private SortedMap<String, Long> live(Map<String, TreeMap<String, Long>> map, String name) {
		TreeMap<String, Long> all = map.get(name);
		if (all == null) {
			return new TreeMap<>();
		}
		all.values().removeIf(this::isOver);
		return all;
	}

	long millisUntil(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(nanos - this.clock.nanoTime());
	}

	private long in(long millis) {
		return this.clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
	}

	private boolean isOver(long nanos) {
		return nanos - this.clock.nanoTime() <= 0;
	}

	private void sweepNowAndThen() {
		this.commandsUntilSweep--;
		if (this.commandsUntilSweep <= 0) {
			this.commandsUntilSweep = COMMANDS_BETWEEN_SWEEPS;
			this.owners.values().removeIf((entry) -> isOver(entry.expiresAt()));
			this.fences.values().removeIf((entry) -> isOver(entry.expiresAt()));
			this.readers.keySet().removeIf((name) -> readers(name).isEmpty());
			this.tickets.keySet().removeIf((name) -> tickets(name).isEmpty());
		}
	}

	private record Entry<T>(T value, long expiresAt) {
	}

}
