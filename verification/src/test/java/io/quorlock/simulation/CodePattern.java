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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A piece of code that is looked for by its shape: white space, comments and the names of
 * local variables do not matter, so that renaming one or formatting a method anew leaves
 * every mutant where it is.
 */
final class CodePattern {

	private static final Pattern TOKEN = Pattern.compile(
			"(?<gap>\\s+|//[^\\n]*|(?<![\\w)\\]])--\\s[^\\n]*|/\\*(?s:.*?)\\*/)|(?<text>\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*')"
					+ "|(?<word>[A-Za-z_$][\\w$]*)|(?<number>\\d[\\w.]*)|(?<sign>--|.)",
			Pattern.DOTALL);

	private static final Set<String> FIXED = Set.of("abstract", "and", "boolean", "break", "byte", "case", "catch",
			"char", "class", "continue", "default", "do", "double", "else", "elseif", "end", "enum", "extends", "false",
			"final", "finally", "float", "for", "function", "if", "implements", "import", "in", "instanceof", "int",
			"interface", "io", "java", "local", "long", "math", "new", "nil", "not", "null", "or", "package", "private",
			"protected", "public", "record", "redis", "repeat", "return", "short", "static", "string", "super",
			"switch", "synchronized", "table", "then", "this", "throw", "throws", "true", "try", "until", "var", "void",
			"volatile", "while", "yield");

	private final String text;

	private final List<Token> tokens;

	private CodePattern(String text) {
		this.text = text;
		this.tokens = tokens(text);
	}

	static CodePattern of(String text) {
		return new CodePattern(text);
	}

	/**
	 * Where the code stands in a part of a source.
	 *
	 * @param from where it begins
	 * @param to where it ends
	 * @param names the names of its local variables to those that the source has
	 */
	record Place(int from, int to, Map<String, String> names) {

		/** Whether all variables have the names that the pattern gives them. */
		boolean isLiteral() {
			return this.names.entrySet().stream().allMatch((name) -> name.getKey().equals(name.getValue()));
		}

	}

	/** Find the places in the source from one position to another. */
	List<Place> places(String source, int from, int to) {
		List<Token> tokens = tokens(source).stream().filter((token) -> token.from >= from && token.to <= to).toList();
		List<Place> places = new ArrayList<>();
		for (int at = 0; at + this.tokens.size() <= tokens.size(); at++) {
			Map<String, String> names = names(tokens, at);
			if (names != null) {
				places.add(new Place(tokens.get(at).from, tokens.get(at + this.tokens.size() - 1).to, names));
			}
		}
		List<Place> literal = places.stream().filter(Place::isLiteral).toList();
		boolean tooVague = this.tokens.size() < 2;
		return (!literal.isEmpty() || tooVague) ? literal : places;
	}

	private @Nullable Map<String, String> names(List<Token> source, int at) {
		Map<String, String> names = new HashMap<>();
		for (int i = 0; i < this.tokens.size(); i++) {
			Token mine = this.tokens.get(i);
			Token other = source.get(at + i);
			if (mine.isVariable() && other.isVariable()) {
				String name = names.putIfAbsent(mine.text, other.text);
				if (name != null && !name.equals(other.text)) {
					return null;
				}
			}
			else if (!mine.text.equals(other.text)) {
				return null;
			}
		}
		return (Set.copyOf(names.values()).size() == names.size()) ? names : null;
	}

	/** Return the code with other names of its local variables. */
	String renamed(Map<String, String> names) {
		StringBuilder renamed = new StringBuilder();
		int done = 0;
		for (Token token : this.tokens) {
			String name = token.isVariable() ? names.get(token.text) : null;
			if (name != null) {
				renamed.append(this.text, done, token.from).append(name);
				done = token.to;
			}
		}
		return renamed.append(this.text, done, this.text.length()).toString();
	}

	private static List<Token> tokens(String text) {
		List<Token> tokens = new ArrayList<>();
		Matcher matcher = TOKEN.matcher(text);
		while (matcher.find()) {
			if (matcher.group("gap") == null) {
				tokens.add(new Token(matcher.group(), matcher.start(), matcher.end(), matcher.group("word") != null));
			}
		}
		for (int i = 0; i < tokens.size(); i++) {
			tokens.get(i)
				.look((i > 0) ? tokens.get(i - 1).text : "", (i + 1 < tokens.size()) ? tokens.get(i + 1).text : "");
		}
		return tokens;
	}

	private static final class Token {

		private final String text;

		private final int from;

		private final int to;

		private final boolean word;

		private boolean variable;

		private Token(String text, int from, int to, boolean word) {
			this.text = text;
			this.from = from;
			this.to = to;
			this.word = word;
		}

		/** A member stands behind a dot, and a call before a parenthesis. */
		private void look(String before, String after) {
			this.variable = this.word && Character.isLowerCase(this.text.charAt(0)) && !FIXED.contains(this.text)
					&& !before.equals(".") && !before.equals(":") && !before.equals("@") && !after.equals("(");
		}

		private boolean isVariable() {
			return this.variable;
		}

	}

}
