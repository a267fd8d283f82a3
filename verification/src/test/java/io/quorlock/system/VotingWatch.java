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

package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Why the nodes of an instance do not vote, and since when, as its health says again and
 * again.
 */
final class VotingWatch {

	/** Of a node: its details contain no braces. */
	private static final Pattern NODE = Pattern.compile("([^ ={]+)=\\{(state=[^}]*)}");

	/** What changes from one reply to the next without anything new. */
	private static final Pattern COUNTER = Pattern.compile("\\d+ s\\b|votesInSeconds=\\d+");

	private final Map<String, List<State>> states = new TreeMap<>();

	private String last = "";

	/**
	 * The instance replied.
	 * @param health what it said
	 * @param after for how long it has been watched
	 * @return whether it is available, and all of its nodes vote
	 */
	boolean seen(String health, Duration after) {
		this.last = health;
		boolean voting = true;
		for (Matcher node = NODE.matcher(health); node.find();) {
			voting &= note(node.group(1), node.group(2), after);
		}
		return voting && health.startsWith("UP");
	}

	private boolean note(String node, String details, Duration after) {
		List<State> known = this.states.computeIfAbsent(node, (name) -> new ArrayList<>());
		State before = known.isEmpty() ? null : known.get(known.size() - 1);
		if (before != null && before.isLike(details)) {
			known.set(known.size() - 1, new State(before.from, after, details));
		}
		else {
			known.add(new State(after, after, details));
		}
		return details.matches("state=voting\\b.*");
	}

	/** The nodes that do not vote, with all that they went through meanwhile. */
	@Override
	public String toString() {
		return this.states.entrySet()
			.stream()
			.filter((node) -> !node.getValue().get(node.getValue().size() - 1).details.startsWith("state=voting"))
			.map((node) -> node.getKey() + "\n"
					+ node.getValue().stream().map((state) -> "    " + state + "\n").collect(Collectors.joining()))
			.collect(Collectors.joining()) + "Its health: " + this.last;
	}

	/**
	 * What was said of a node for a while.
	 *
	 * @param from when it was said first
	 * @param until when it was said last
	 * @param details state, reason, in how many seconds it votes, and a note, at the last
	 * time
	 */
	private record State(Duration from, Duration until, String details) {

		boolean isLike(String other) {
			return COUNTER.matcher(this.details).replaceAll("").equals(COUNTER.matcher(other).replaceAll(""));
		}

		@Override
		public String toString() {
			return "from %.1f s to %.1f s: %s".formatted(this.from.toMillis() / 1e3, this.until.toMillis() / 1e3,
					this.details);
		}

	}

}
