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

package io.quorlock;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Checks and combines lock names, so that two different names are never the same key on
 * the nodes.
 */
final class LockNames {

	static final int MAX_LENGTH = 1024;

	private LockNames() {
	}

	static String check(@Nullable String name) {
		if (name == null || name.isEmpty()) {
			throw new LockKeyException("A lock name must not be " + ((name != null) ? "empty" : "null"));
		}
		if (name.length() > MAX_LENGTH) {
			throw new LockKeyException("Lock name of %,d characters is longer than %,d: '%s...'"
				.formatted(name.length(), MAX_LENGTH, name.substring(0, 40)));
		}
		if (name.charAt(0) == '~') {
			// Nodes use it for what is no owner, such as "~shared" and "~cooldown".
			throw new LockKeyException(
					"Lock name '" + name + "' must not start with '~': such names are for the library itself");
		}
		if (name.charAt(0) == '}') {
			// The key is "<prefix>{<name>}". With "}" first the hash tag would be empty,
			// and a Cluster would put the lock and its fence on different nodes.
			throw new LockKeyException("Lock name '" + name + "' must not start with '}'");
		}
		checkSurrogates(name);
		return name;
	}

	/**
	 * An unpaired surrogate has no UTF-8 form: encoders write '?', which would be another
	 * lock.
	 */
	private static void checkSurrogates(String name) {
		for (int i = 0; i < name.length(); i = name.offsetByCodePoints(i, 1)) {
			if (Character.getType(name.codePointAt(i)) == Character.SURROGATE) {
				throw new LockKeyException("Lock name has an unpaired surrogate at index " + i);
			}
		}
	}

	static List<String> sorted(Collection<@Nullable String> names) {
		if (names.isEmpty()) {
			throw new LockKeyException("No lock name was given: nothing to lock");
		}
		TreeSet<String> sorted = new TreeSet<>();
		for (String name : names) {
			sorted.add(check(name));
		}
		if (sorted.size() > LockRequest.MAX_NAMES) {
			throw new LockKeyException(("%,d locks are too many for one request, which takes %d at most: lock fewer at "
					+ "a time, or one name that stands for all of them. The first are '%s'")
				.formatted(sorted.size(), LockRequest.MAX_NAMES, LogText.join(List.copyOf(sorted))));
		}
		return List.copyOf(sorted);
	}

	static List<String> withKey(String baseName, @Nullable Object key, String path) {
		if (key instanceof Collection<?> keys) {
			return withKeys(baseName, keys, path);
		}
		if (key instanceof byte[] || key instanceof char[]) {
			throw new LockKeyException(("The key of lock '%s' is a %s, each of whose elements would be a name of its "
					+ "own. Use its text, such as that of HexFormat or String.valueOf")
				.formatted(baseName, key.getClass().getSimpleName()));
		}
		if (key != null && key.getClass().isArray()) {
			Stream<@Nullable Object> keys = IntStream.range(0, Array.getLength(key)).mapToObj((i) -> Array.get(key, i));
			return withKeys(baseName, keys.toList(), path);
		}
		return List.of(join(baseName, key, path));
	}

	private static List<String> withKeys(String baseName, Collection<?> keys, String path) {
		if (keys.isEmpty()) {
			throw new LockKeyException("The keys of lock '" + baseName + "' are an empty collection: nothing to lock");
		}
		List<@Nullable String> names = new ArrayList<>(keys.size());
		for (Object key : keys) {
			names.add(join(baseName, key, path + "[" + names.size() + "]"));
		}
		return sorted(names);
	}

	private static String join(String baseName, @Nullable Object key, String path) {
		if (key instanceof Map) {
			throw new LockKeyException(("The key of lock '%s' is a Map, whose text depends on the order of its "
					+ "entries. Use what identifies it, such as an id")
				.formatted(baseName));
		}
		String text;
		try {
			text = KeyText.of(key, path);
		}
		catch (LockKeyException ex) {
			String reason = String.valueOf(ex.getMessage());
			throw new LockKeyException("The key of lock '%s'%s".formatted(baseName,
					reason.startsWith("key ") ? reason.substring(3) : ": " + reason));
		}
		if (text == null || text.isEmpty()) {
			// Without this check a missing id would lock "order:" for all callers.
			throw new LockKeyException(
					"The key of lock '" + baseName + "' is " + ((text != null) ? "an empty string" : "null"));
		}
		// A key is one part of the name, whatever it contains: "order" with the key
		// "42:items" must not be the lock of "order:42" with the key "items".
		return check(baseName + ":" + text.replace("%", "%25").replace(":", "%3A"));
	}

}
