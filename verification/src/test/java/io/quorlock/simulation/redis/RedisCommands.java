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
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

import io.quorlock.simulation.redis.Keyspace.Entry;

/**
 * The commands that scripts may call: keys, strings, and the channel of messages.
 */
final class RedisCommands {

	/** What a command does, for a server that cannot write. */
	enum Kind {

		READ, WRITE, WRITE_WITH_MEMORY

	}

	/** Carries out a command. */
	@FunctionalInterface
	interface Body {

		LuaValue run(LuaString[] words);

	}

	private record Command(Kind kind, Body body) {
	}

	private static final LuaTable STATUS_OK = status("OK");

	private final Keyspace keys;

	private final SimulatedRedis server;

	private final Map<LuaString, Command> commands = new HashMap<>();

	/** Whether the running script has written: from then on nothing stops it. */
	private boolean dirty;

	RedisCommands(Keyspace keys, SimulatedRedis server) {
		this.keys = keys;
		this.server = server;
		add("GET", Kind.READ, this::get);
		add("SET", Kind.WRITE_WITH_MEMORY, this::set);
		add("INCR", Kind.WRITE_WITH_MEMORY, this::incr);
		add("DEL", Kind.WRITE, this::del);
		add("GETRANGE", Kind.READ, this::getRange);
		add("EXISTS", Kind.READ, this::exists);
		add("PTTL", Kind.READ, this::pttl);
		add("PEXPIRE", Kind.WRITE, (words) -> expire(words, keys.nowMillis() + number(words[2])));
		add("PEXPIREAT", Kind.WRITE, (words) -> expire(words, number(words[2])));
		add("PEXPIRETIME", Kind.READ, this::expireTime);
		add("PUBLISH", Kind.READ, (words) -> LuaValue.valueOf(server.publish(words[1], words[2])));
		add("TIME", Kind.READ, (words) -> time());
		new RedisHashes(this, keys);
		new RedisSortedSets(this, keys);
	}

	void add(String name, Kind kind, Body body) {
		this.commands.put(LuaString.valueOf(name), new Command(kind, body));
	}

	void begin() {
		this.dirty = false;
	}

	LuaValue call(LuaString[] words) {
		Command command = this.commands.get(words[0]);
		if (command == null) {
			command = this.commands.get(LuaString.valueOf(words[0].tojstring().toUpperCase(Locale.ROOT)));
		}
		if (command == null) {
			throw new RedisErrorException("ERR Unknown Redis command called from script: " + words[0]);
		}
		if (command.kind() != Kind.READ) {
			if (!this.dirty) {
				this.server.checkWritable(command.kind() == Kind.WRITE_WITH_MEMORY);
			}
			this.dirty = true;
		}
		return command.body().run(words);
	}

	private LuaValue get(LuaString[] words) {
		Entry entry = this.keys.find(words[1]);
		return (entry != null) ? string(entry) : LuaValue.FALSE;
	}

	private LuaValue getRange(LuaString[] words) {
		Entry entry = this.keys.find(words[1]);
		if (entry == null) {
			return LuaString.valueOf("");
		}
		LuaString all = string(entry);
		int from = (int) Math.min(number(words[2]), all.length());
		int to = (int) Math.min(number(words[3]) + 1, all.length());
		return (from < to) ? all.substring(from, to) : LuaString.valueOf("");
	}

	private LuaValue exists(LuaString[] words) {
		int found = 0;
		for (int i = 1; i < words.length; i++) {
			found += (this.keys.find(words[i]) != null) ? 1 : 0;
		}
		return LuaValue.valueOf(found);
	}

	private static LuaString string(Entry entry) {
		if (entry.value instanceof LuaString string) {
			return string;
		}
		throw wrongType();
	}

	private LuaValue set(LuaString[] words) {
		boolean ifAbsent = false;
		boolean ifPresent = false;
		long expiresAt = Keyspace.NO_EXPIRY;
		for (int i = 3; i < words.length; i++) {
			switch (words[i].tojstring().toUpperCase(Locale.ROOT)) {
				case "NX" -> ifAbsent = true;
				case "XX" -> ifPresent = true;
				case "PX" -> expiresAt = this.keys.nowMillis() + positive(words[++i]);
				case "PXAT" -> expiresAt = positive(words[++i]);
				default -> throw new RedisErrorException("ERR syntax error");
			}
		}
		boolean exists = this.keys.find(words[1]) != null;
		if ((exists && ifAbsent) || (!exists && ifPresent)) {
			return LuaValue.FALSE;
		}
		this.keys.put(words[1], words[2]).expiresAtMillis = expiresAt;
		return STATUS_OK;
	}

	private LuaValue incr(LuaString[] words) {
		Entry entry = this.keys.change(words[1]);
		long value = (entry != null) ? number(string(entry)) + 1 : 1;
		LuaString text = LuaString.valueOf(Long.toString(value));
		if (entry != null) {
			entry.value = text;
		}
		else {
			this.keys.put(words[1], text);
		}
		return LuaValue.valueOf(value);
	}

	private LuaValue del(LuaString[] words) {
		int deleted = 0;
		for (int i = 1; i < words.length; i++) {
			deleted += this.keys.remove(words[i]) ? 1 : 0;
		}
		return LuaValue.valueOf(deleted);
	}

	private LuaValue pttl(LuaString[] words) {
		Entry entry = this.keys.find(words[1]);
		if (entry == null) {
			return LuaValue.valueOf(-2);
		}
		boolean expires = entry.expiresAtMillis != Keyspace.NO_EXPIRY;
		return LuaValue.valueOf(expires ? Math.max(0, entry.expiresAtMillis - this.keys.nowMillis()) : -1);
	}

	private LuaValue expireTime(LuaString[] words) {
		Entry entry = this.keys.find(words[1]);
		if (entry == null) {
			return LuaValue.valueOf(-2);
		}
		return LuaValue.valueOf((entry.expiresAtMillis != Keyspace.NO_EXPIRY) ? entry.expiresAtMillis : -1);
	}

	private LuaValue expire(LuaString[] words, long expiresAt) {
		Entry entry = this.keys.change(words[1]);
		if (entry == null) {
			return LuaValue.ZERO;
		}
		if (words.length > 3) {
			String condition = words[3].tojstring().toUpperCase(Locale.ROOT);
			boolean holds = switch (condition) {
				case "GT" -> expiresAt > entry.expiresAtMillis;
				case "LT" -> expiresAt < entry.expiresAtMillis;
				case "NX" -> entry.expiresAtMillis == Keyspace.NO_EXPIRY;
				case "XX" -> entry.expiresAtMillis != Keyspace.NO_EXPIRY;
				default -> throw new RedisErrorException("ERR Unsupported option " + condition);
			};
			if (!holds) {
				return LuaValue.ZERO;
			}
		}
		if (expiresAt <= this.keys.nowMillis()) {
			this.keys.remove(words[1]);
		}
		else {
			entry.expiresAtMillis = expiresAt;
		}
		return LuaValue.ONE;
	}

	private LuaValue time() {
		long micros = this.server.scriptMicros();
		return LuaTable.listOf(new LuaValue[] { LuaString.valueOf(Long.toString(micros / 1_000_000)),
				LuaString.valueOf(Long.toString(micros % 1_000_000)) });
	}

	static long number(LuaString word) {
		try {
			return Long.parseLong(word.tojstring());
		}
		catch (NumberFormatException ex) {
			throw new RedisErrorException("ERR value is not an integer or out of range");
		}
	}

	private static long positive(LuaString word) {
		long number = number(word);
		if (number <= 0) {
			throw new RedisErrorException("ERR invalid expire time in 'set' command");
		}
		return number;
	}

	static RedisErrorException wrongType() {
		return new RedisErrorException("WRONGTYPE Operation against a key holding the wrong kind of value");
	}

	private static LuaTable status(String text) {
		LuaTable status = new LuaTable();
		status.set("ok", text);
		return status;
	}

	static @Nullable LuaString argument(LuaString[] words, int index) {
		return (index < words.length) ? words[index] : null;
	}

}
