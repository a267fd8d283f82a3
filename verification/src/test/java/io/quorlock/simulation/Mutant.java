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

package io.quorlock.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A deliberate defect: one or several methods written differently.
 *
 * @param name what is wrong, in words
 * @param rule the rule that it breaks
 * @param edits the changes that make up the defect
 * @param test the test that has to fail, {@code package.Class#method} below
 * {@code io.quorlock}, or {@code null} if the simulation finds it
 */
record Mutant(String name, String rule, List<Edit> edits, @Nullable String test) {

	/**
	 * Creates a mutant.
	 * @param name what is wrong
	 * @param rule the rule that it breaks
	 * @param place class and method, as {@code Class#method}, or {@code script.lua}
	 * @param original a part of the method, exactly once in it, white space and the names
	 * of local variables aside
	 * @param replacement the part with the defect
	 */
	Mutant(String name, String rule, String place, String original, String replacement) {
		this(name, rule, List.of(Edit.at(place, original, replacement)), null);
	}

	/** Return the mutant with a further change. */
	Mutant and(String place, String original, String replacement) {
		return new Mutant(this.name, this.rule,
				Stream.concat(this.edits.stream(), Stream.of(Edit.at(place, original, replacement))).toList(),
				this.test);
	}

	/** Return the mutant as one that a test finds. */
	Mutant caughtBy(String test) {
		return new Mutant(this.name, this.rule, this.edits, test);
	}

	/** Return the mutated sources by the simple name of their class. */
	Map<String, String> mutate(UnaryOperator<String> sources) {
		Map<String, String> mutated = new TreeMap<>();
		for (Edit edit : this.edits) {
			String source = mutated.get(edit.type());
			mutated.put(edit.type(), edit.apply((source != null) ? source : sources.apply(edit.type())));
		}
		return mutated;
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * A change in one method, in several of the same name, or in a script.
	 *
	 * @param type the simple name of the top-level class, or the file of a script
	 * @param method the method, the class's name for its constructors; empty for a script
	 * @param original what it says
	 * @param replacement what it says with the defect
	 */
	record Edit(String type, String method, String original, String replacement) {

		static Edit at(String place, String original, String replacement) {
			int hash = place.indexOf('#');
			if (hash < 0) {
				return new Edit(place, "", original, replacement);
			}
			return new Edit(place.substring(0, hash), place.substring(hash + 1), original, replacement);
		}

		String apply(String source) {
			CodePattern wanted = CodePattern.of(this.original);
			List<CodePattern.Place> places = blocks(source).stream()
				.flatMap((block) -> wanted.places(source, block[0], block[1]).stream())
				.toList();
			List<CodePattern.Place> literal = places.stream().filter(CodePattern.Place::isLiteral).toList();
			places = literal.isEmpty() ? places : literal;
			if (places.size() != 1) {
				throw new IllegalStateException("'%s' must be in %s#%s exactly once, not %d times"
					.formatted(this.original, this.type, this.method, places.size()));
			}
			CodePattern.Place place = places.get(0);
			return source.substring(0, place.from()) + CodePattern.of(this.replacement).renamed(place.names())
					+ source.substring(place.to());
		}

		private List<int[]> blocks(String source) {
			List<int[]> blocks = new ArrayList<>();
			if (this.method.isEmpty()) {
				return List.of(new int[] { 0, source.length() });
			}
			Matcher declaration = Pattern
				.compile("(?m)^\\t+(?!return |else |throw |new )(?:[\\w@<>\\[\\],.?]+ )*" + Pattern.quote(this.method)
						+ "\\([^;{}]*\\{")
				.matcher(source);
			while (declaration.find()) {
				blocks.add(new int[] { declaration.end(), end(source, declaration.end()) });
			}
			return blocks;
		}

		/** Return where the block ends whose brace stands before a position. */
		private static int end(String source, int start) {
			int depth = 1;
			int at = start;
			while (depth > 0) {
				char c = source.charAt(at++);
				depth += (c == '{') ? 1 : (c == '}') ? -1 : 0;
			}
			return at;
		}

	}

}
