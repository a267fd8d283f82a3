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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

import io.quorlock.simulation.redis.Keyspace.Entry;
import io.quorlock.simulation.redis.RedisCommands.Kind;

/**
 * The commands on hashes.
 */
final class RedisHashes {

	private final Keyspace keys;

	RedisHashes(RedisCommands commands, Keyspace keys) {
		this.keys = keys;
		commands.add("HSET", Kind.WRITE_WITH_MEMORY, this::hset);
		commands.add("HGET", Kind.READ, this::hget);
		commands.add("HEXISTS", Kind.READ, (words) -> LuaValue.valueOf(fields(words[1]).containsKey(words[2]) ? 1 : 0));
		commands.add("HDEL", Kind.WRITE, this::hdel);
		commands.add("HGETALL", Kind.READ, this::hgetall);
		commands.add("HKEYS", Kind.READ,
				(words) -> LuaTable.listOf(fields(words[1]).keySet().toArray(LuaValue[]::new)));
		commands.add("HLEN", Kind.READ, (words) -> LuaValue.valueOf(fields(words[1]).size()));
	}

	@SuppressWarnings("unchecked")
	private static Map<LuaString, LuaString> fields(Entry entry) {
		if (entry.value instanceof Map<?, ?>) {
			return (Map<LuaString, LuaString>) entry.value;
		}
		throw RedisCommands.wrongType();
	}

	private Map<LuaString, LuaString> fields(LuaString key) {
		Entry entry = this.keys.find(key);
		return (entry != null) ? fields(entry) : Map.of();
	}

	private LuaValue hset(LuaString[] words) {
		Entry entry = this.keys.change(words[1]);
		if (entry == null) {
			entry = this.keys.put(words[1], new LinkedHashMap<LuaString, LuaString>());
		}
		int added = 0;
		for (int i = 2; i + 1 < words.length; i += 2) {
			added += (fields(entry).put(words[i], words[i + 1]) == null) ? 1 : 0;
		}
		return LuaValue.valueOf(added);
	}

	private LuaValue hget(LuaString[] words) {
		@Nullable LuaString value = fields(words[1]).get(words[2]);
		return (value != null) ? value : LuaValue.FALSE;
	}

	private LuaValue hdel(LuaString[] words) {
		Entry entry = this.keys.change(words[1]);
		if (entry == null) {
			return LuaValue.ZERO;
		}
		int deleted = 0;
		for (int i = 2; i < words.length; i++) {
			deleted += (fields(entry).remove(words[i]) != null) ? 1 : 0;
		}
		if (fields(entry).isEmpty()) {
			this.keys.remove(words[1]);
		}
		return LuaValue.valueOf(deleted);
	}

	private LuaValue hgetall(LuaString[] words) {
		List<LuaValue> all = new ArrayList<>();
		fields(words[1]).forEach((field, value) -> {
			all.add(field);
			all.add(value);
		});
		return LuaTable.listOf(all.toArray(LuaValue[]::new));
	}

}
