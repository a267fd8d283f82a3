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
		if (entry != null && entry.author != authorOf(key)) {
			this.guard.changing(key, entry, authorOf(key));
		}
		return entry;
	}

	private Object authorOf(LuaString key) {
		return (this.author instanceof SimulatedRedis.Authors authors) ? authors.of(key.tojstring()) : this.author;
	}

	Entry put(LuaString key, Object value) {
		change(key);
		Entry entry = new Entry(authorOf(key), value);
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
