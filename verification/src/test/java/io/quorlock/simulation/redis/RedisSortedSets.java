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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.DoublePredicate;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

import io.quorlock.simulation.redis.Keyspace.Entry;
import io.quorlock.simulation.redis.RedisCommands.Kind;

/**
 * The commands on sorted sets.
 */
final class RedisSortedSets {

	/** A member with its score. */
	private record Element(double score, LuaString member) implements Comparable<Element> {

		@Override
		public int compareTo(Element other) {
			int order = Double.compare(this.score, other.score);
			return (order != 0) ? order : compare(this.member, other.member);
		}

		private static int compare(LuaString a, LuaString b) {
			return Arrays.compareUnsigned(a.m_bytes, a.m_offset, a.m_offset + a.m_length, b.m_bytes, b.m_offset,
					b.m_offset + b.m_length);
		}

	}

	/** A sorted set. Crowds read it often, so that it is kept in order. */
	private static final class Scores {

		private final Map<LuaString, Double> byMember = new HashMap<>();

		private final NavigableSet<Element> order = new TreeSet<>();

		@Nullable Double get(LuaString member) {
			return this.byMember.get(member);
		}

		void put(LuaString member, double score) {
			remove(member);
			this.byMember.put(member, score);
			this.order.add(new Element(score, member));
		}

		boolean remove(LuaString member) {
			Double score = this.byMember.remove(member);
			return score != null && this.order.remove(new Element(score, member));
		}

		int size() {
			return this.byMember.size();
		}

	}

	private static final Scores NONE = new Scores();

	private final Keyspace keys;

	RedisSortedSets(RedisCommands commands, Keyspace keys) {
		this.keys = keys;
		commands.add("ZADD", Kind.WRITE_WITH_MEMORY, this::zadd);
		commands.add("ZREM", Kind.WRITE, this::zrem);
		commands.add("ZSCORE", Kind.READ, this::zscore);
		commands.add("ZRANK", Kind.READ, this::zrank);
		commands.add("ZCARD", Kind.READ, (words) -> LuaValue.valueOf(scores(words[1]).size()));
		commands.add("ZCOUNT", Kind.READ,
				(words) -> LuaValue.valueOf(within(scores(words[1]), words[2], words[3]).size()));
		commands.add("ZRANGE", Kind.READ, (words) -> byRank(words, scores(words[1]).order));
		commands.add("ZREVRANGE", Kind.READ, (words) -> byRank(words, scores(words[1]).order.descendingSet()));
		commands.add("ZRANGEBYSCORE", Kind.READ, this::rangeByScore);
		commands.add("ZREMRANGEBYSCORE", Kind.WRITE, this::removeRangeByScore);
	}

	private static Scores scores(Entry entry) {
		if (entry.value instanceof Scores scores) {
			return scores;
		}
		throw RedisCommands.wrongType();
	}

	private Scores scores(LuaString key) {
		Entry entry = this.keys.find(key);
		return (entry != null) ? scores(entry) : NONE;
	}

	private static double score(LuaString word) {
		LuaValue number = new LuaNumbers.ToNumber().call(word);
		if (number.isnil() || Double.isNaN(number.todouble())) {
			throw new RedisErrorException("ERR value is not a valid float");
		}
		return number.todouble();
	}

	private LuaValue zadd(LuaString[] words) {
		int next = 2;
		boolean ifAbsent = false;
		boolean ifPresent = false;
		boolean ifGreater = false;
		boolean ifLess = false;
		boolean countChanged = false;
		for (boolean option = true; option; next += option ? 1 : 0) {
			switch (words[next].tojstring().toUpperCase(Locale.ROOT)) {
				case "NX" -> ifAbsent = true;
				case "XX" -> ifPresent = true;
				case "GT" -> ifGreater = true;
				case "LT" -> ifLess = true;
				case "CH" -> countChanged = true;
				default -> option = false;
			}
		}
		Entry entry = this.keys.change(words[1]);
		Scores scores = (entry != null) ? scores(entry) : new Scores();
		int added = 0;
		int changed = 0;
		for (int i = next; i + 1 < words.length; i += 2) {
			double score = score(words[i]);
			Double before = scores.get(words[i + 1]);
			boolean refused = (before != null)
					? ifAbsent || (ifGreater && score <= before) || (ifLess && score >= before) : ifPresent;
			if (!refused) {
				scores.put(words[i + 1], score);
				added += (before != null) ? 0 : 1;
				boolean same = before != null && before == score;
				changed += same ? 0 : 1;
			}
		}
		if (entry == null && scores.size() > 0) {
			this.keys.put(words[1], scores);
		}
		return LuaValue.valueOf(countChanged ? changed : added);
	}

	private LuaValue zrem(LuaString[] words) {
		Entry entry = this.keys.change(words[1]);
		if (entry == null) {
			return LuaValue.ZERO;
		}
		int removed = 0;
		for (int i = 2; i < words.length; i++) {
			removed += scores(entry).remove(words[i]) ? 1 : 0;
		}
		removeIfEmpty(words[1], entry);
		return LuaValue.valueOf(removed);
	}

	private LuaValue removeRangeByScore(LuaString[] words) {
		Entry entry = this.keys.change(words[1]);
		if (entry == null) {
			return LuaValue.ZERO;
		}
		List<Element> removed = within(scores(entry), words[2], words[3]);
		removed.forEach((element) -> scores(entry).remove(element.member()));
		removeIfEmpty(words[1], entry);
		return LuaValue.valueOf(removed.size());
	}

	private void removeIfEmpty(LuaString key, Entry entry) {
		if (scores(entry).size() == 0) {
			this.keys.remove(key);
		}
	}

	private LuaValue zscore(LuaString[] words) {
		Double score = scores(words[1]).get(words[2]);
		return (score != null) ? LuaString.valueOf(LuaNumbers.text(score)) : LuaValue.FALSE;
	}

	private LuaValue zrank(LuaString[] words) {
		Scores scores = scores(words[1]);
		Double score = scores.get(words[2]);
		return (score != null) ? LuaValue.valueOf(scores.order.headSet(new Element(score, words[2])).size())
				: LuaValue.FALSE;
	}

	private static List<Element> within(Scores scores, LuaString min, LuaString max) {
		DoublePredicate above = bound(min, 1);
		DoublePredicate below = bound(max, -1);
		return scores.order.stream()
			.takeWhile((element) -> below.test(element.score()))
			.filter((element) -> above.test(element.score()))
			.toList();
	}

	private static DoublePredicate bound(LuaString word, int sign) {
		String text = word.tojstring();
		if (text.startsWith("(")) {
			double bound = score(LuaString.valueOf(text.substring(1)));
			return (score) -> sign * Double.compare(score, bound) > 0;
		}
		double bound = score(word);
		return (score) -> sign * Double.compare(score, bound) >= 0;
	}

	private static LuaValue byRank(LuaString[] words, NavigableSet<Element> elements) {
		int size = elements.size();
		int from = Math.max(0, index(words[2], size));
		int to = Math.min(size - 1, index(words[3], size));
		return list(elements.stream().skip(from).limit(Math.max(0, to - from + 1)).toList(), words, 4);
	}

	private static int index(LuaString word, int size) {
		long index = RedisCommands.number(word);
		return (int) ((index < 0) ? size + index : index);
	}

	private LuaValue rangeByScore(LuaString[] words) {
		List<Element> elements = within(scores(words[1]), words[2], words[3]);
		for (int i = 4; i < words.length; i++) {
			if (words[i].tojstring().equalsIgnoreCase("LIMIT")) {
				int offset = (int) Math.min(elements.size(), RedisCommands.number(words[i + 1]));
				long count = RedisCommands.number(words[i + 2]);
				elements = elements.subList(offset, elements.size());
				elements = (count < 0) ? elements : elements.subList(0, (int) Math.min(count, elements.size()));
				i += 2;
			}
		}
		return list(elements, words, 4);
	}

	private static LuaValue list(List<Element> elements, LuaString[] words, int options) {
		boolean withScores = false;
		for (int i = options; i < words.length; i++) {
			@Nullable LuaString option = RedisCommands.argument(words, i);
			withScores |= option != null && option.tojstring().equalsIgnoreCase("WITHSCORES");
		}
		List<LuaValue> values = new ArrayList<>();
		for (Element element : elements) {
			values.add(element.member());
			if (withScores) {
				values.add(LuaString.valueOf(LuaNumbers.text(element.score())));
			}
		}
		return LuaTable.listOf(values.toArray(LuaValue[]::new));
	}

}
