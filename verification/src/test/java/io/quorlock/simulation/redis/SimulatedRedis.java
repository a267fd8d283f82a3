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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;

import io.quorlock.redis.LockScript;

/**
 * A server in memory that carries out the project's own scripts. Whoever uses it gives it
 * a clock, receives its messages, and is asked about every key that is changed.
 */
public final class SimulatedRedis {

	/** Keys and arguments in the form that the interpreter takes, for several servers. */
	public static final class Call {

		private final LockScript script;

		private final LuaTable keys;

		private final LuaTable args;

		public Call(LockScript script, byte[][] keys, byte[][] args) {
			this.script = script;
			this.keys = LuaScripts.table(keys);
			this.args = LuaScripts.table(args);
		}

	}

	/** A key as somebody sees it from outside. */
	public record Key(LuaString key, Object value, Object author, long expiresAtMillis) {

		private static final LuaString COOLDOWN = LuaString.valueOf("~cooldown");

		public String name() {
			return this.key.tojstring();
		}

		public boolean isCoolingDown() {
			return COOLDOWN.equals(this.value);
		}

	}

	/** On whose behalf a script writes each of its keys, if that is not one alone. */
	public interface Authors {

		Object of(String key);

	}

	/** Why the server refuses commands, as Redis says it. */
	public enum Ailment {

		/** Scripts that need memory fail before their first write. */
		OOM("OOM command not allowed when used memory > 'maxmemory'."),

		/** Scripts fail before their first write. */
		MISCONF("MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk."),

		/** Scripts fail before their first write. */
		READONLY("READONLY You can't write against a read only replica."),

		/** No script begins. */
		BUSY("BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."),

		/** No script begins. */
		LOADING("LOADING Redis is loading the dataset in memory");

		private final String message;

		Ailment(String message) {
			this.message = message;
		}

	}

	/** What the server needs from outside. */
	public interface Surroundings {

		/** Return the server's wall clock in microseconds. */
		long micros();

		/** Bring a message to those who listen, and return how many they are. */
		int publish(String channel, String message);

		/** A key is about to be changed on behalf of another than its author. */
		void changing(Key key, Object other);

	}

	private final Surroundings surroundings;

	private final Keyspace keys;

	private final RedisCommands commands;

	/** Known by their digest. */
	private final Set<LockScript> scripts = EnumSet.noneOf(LockScript.class);

	private long scriptMicros;

	private @Nullable Ailment ailment;

	/**
	 * Create a server without keys.
	 * @param surroundings its clock, and who is told of what
	 */
	public SimulatedRedis(Surroundings surroundings) {
		this.surroundings = surroundings;
		this.keys = new Keyspace((key, entry, other) -> surroundings.changing(key(key, entry), other));
		this.commands = new RedisCommands(this.keys, this);
	}

	/**
	 * Run a script.
	 * @param call the script with its keys and arguments
	 * @param author on whose behalf; {@link Authors} if that is not one alone
	 * @return the reply as a driver gives it: {@link Long}, {@code byte[]}, a list of
	 * those or {@code null}
	 * @throws RedisErrorException if the reply is an error
	 */
	public @Nullable Object eval(Call call, Object author) {
		if (this.ailment == Ailment.BUSY || this.ailment == Ailment.LOADING) {
			throw new RedisErrorException(this.ailment.message);
		}
		if (!this.scripts.contains(call.script)) {
			throw new RedisErrorException("NOSCRIPT No matching script. Please use EVAL.");
		}
		this.scriptMicros = this.surroundings.micros();
		this.keys.begin(this.scriptMicros / 1_000, author);
		this.commands.begin();
		return LuaScripts.reply(LuaScripts.current().run(call.script, call.keys, call.args, this.commands));
	}

	/** Run a single command, as a client does. */
	public @Nullable Object command(Object author, String... words) {
		this.scriptMicros = this.surroundings.micros();
		this.keys.begin(this.scriptMicros / 1_000, author);
		this.commands.begin();
		return LuaScripts
			.reply(this.commands.call(Arrays.stream(words).map(LuaString::valueOf).toArray(LuaString[]::new)));
	}

	/** Return the keys that have not expired. */
	public List<Key> keys() {
		long nowMillis = this.surroundings.micros() / 1_000;
		List<Key> all = new ArrayList<>();
		this.keys.entries().forEach((key, entry) -> {
			if (nowMillis <= entry.expiresAtMillis) {
				all.add(key(key, entry));
			}
		});
		return all;
	}

	/** Return a key that has not expired, or null. */
	public @Nullable Key key(LuaString name) {
		Keyspace.Entry entry = this.keys.entries().get(name);
		boolean exists = entry != null && this.surroundings.micros() / 1_000 <= entry.expiresAtMillis;
		return (entry != null && exists) ? key(name, entry) : null;
	}

	private static Key key(LuaString name, Keyspace.Entry entry) {
		return new Key(name, entry.value, entry.author, entry.expiresAtMillis);
	}

	/** Forget everything. */
	public void clear() {
		this.keys.clear();
	}

	/** As {@code SCRIPT LOAD}. */
	public void load(LockScript script) {
		this.scripts.add(script);
	}

	/** As {@code SCRIPT FLUSH}. */
	public void forgetScripts() {
		this.scripts.clear();
	}

	/** Begin to refuse commands, or end it with null. */
	public void ail(@Nullable Ailment ailment) {
		this.ailment = ailment;
	}

	void checkWritable(boolean needsMemory) {
		Ailment ailment = this.ailment;
		if (ailment != null && (needsMemory || ailment != Ailment.OOM)) {
			throw new RedisErrorException(ailment.message);
		}
	}

	long scriptMicros() {
		return this.scriptMicros;
	}

	int publish(LuaString channel, LuaString message) {
		return this.surroundings.publish(channel.tojstring(), message.tojstring());
	}

}
