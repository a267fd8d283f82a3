package io.quorlock.simulation.redis;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * Keys with their values and expiries. It remembers besides on whose behalf a key was
 * written, which no server can.
 */
final class Keyspace {

	static final long NO_EXPIRY = Long.MAX_VALUE;

	/** A value: a string, a hash or a sorted set. */
	static final class Entry {

		final Object author;

		Object value;

		long expiresAtMillis = NO_EXPIRY;

		private Entry(Object author, Object value) {
			this.author = author;
			this.value = value;
		}

	}

	/** Is told of keys that another than their author is about to change. */
	interface Guard {

		void changing(LuaString key, Entry entry, Object other);

	}

	private final Map<LuaString, Entry> entries = new HashMap<>();

	private final Guard guard;

	private long nowMillis;

	private Object author = this;

	Keyspace(Guard guard) {
		this.guard = guard;
	}

	/** Time stands still while a script runs. */
	void begin(long nowMillis, Object author) {
		this.nowMillis = nowMillis;
		this.author = author;
	}

	long nowMillis() {
		return this.nowMillis;
	}

	@Nullable Entry find(LuaString key) {
		Entry entry = this.entries.get(key);
		if (entry != null && this.nowMillis > entry.expiresAtMillis) {
			this.entries.remove(key);
			return null;
		}
		return entry;
	}

	/** The entry of a key that is about to be changed. */
	@Nullable Entry change(LuaString key) {
		Entry entry = find(key);
		if (entry != null && entry.author != this.author) {
			this.guard.changing(key, entry, this.author);
		}
		return entry;
	}

	Entry put(LuaString key, Object value) {
		change(key);
		Entry entry = new Entry(this.author, value);
		this.entries.put(key, entry);
		return entry;
	}

	boolean remove(LuaString key) {
		boolean existed = change(key) != null;
		this.entries.remove(key);
		return existed;
	}

	void clear() {
		this.entries.clear();
	}

	Map<LuaString, Entry> entries() {
		return this.entries;
	}

}
