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

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The text of a key, which has to be the same for equal values in every JVM: nothing in
 * it may show the identity of an object, or depend on the order of what has none.
 *
 * @since 0.1.0
 */
@Api(Api.Status.INTERNAL)
public final class KeyText {

	private static final Pattern IDENTITY = Pattern
		.compile("(\\[+(?:[ZBCDFIJS]|L[\\w.$]+;)|[\\w$]+(?:\\.[\\w$]+)*\\.[A-Z$][\\w$]*)(?:/0x\\p{XDigit}+)?"
				// Other text may follow, but few mail addresses look like this.
				+ "@(?:\\p{XDigit}{6,8}|\\p{XDigit}{1,8}(?![\\w.]))");

	/** Longer than the first part of any package. */
	private static final int MAX_IN_FRONT = 32;

	private KeyText() {
	}

	/**
	 * Return the text of a key.
	 * @param key the key
	 * @param path how messages name it
	 * @return the text, {@code null} for an empty optional
	 * @throws LockKeyException if its text is not that of its value
	 */
	static @Nullable String of(@Nullable Object key, String path) {
		Object value = unwrapped(key);
		check(value, path);
		String text = (value != null) ? value.toString() : null;
		String identity = (text != null) ? identity(text) : null;
		if (identity != null) {
			throw refused(path, "has the identity of a %s in its text, not its value".formatted(identity));
		}
		return text;
	}

	private static @Nullable Object unwrapped(@Nullable Object key) {
		if (key instanceof Optional<?> optional) {
			return unwrapped(optional.orElse(null));
		}
		if (key instanceof OptionalInt optional) {
			return optional.isPresent() ? optional.getAsInt() : null;
		}
		if (key instanceof OptionalLong optional) {
			return optional.isPresent() ? optional.getAsLong() : null;
		}
		if (key instanceof OptionalDouble optional) {
			return optional.isPresent() ? optional.getAsDouble() : null;
		}
		return key;
	}

	/**
	 * Check that the text of a value is that of what is in it.
	 * @param value the value
	 * @param path how messages name it
	 * @throws LockKeyException if it is not
	 */
	public static void check(@Nullable Object value, String path) {
		if (value == null || value instanceof CharSequence || value instanceof Number || value instanceof Enum) {
			return;
		}
		if (value instanceof Map<?, ?> map) {
			if (!((map instanceof SortedMap<?, ?> sorted && sorted.comparator() == null) || map instanceof EnumMap)) {
				throw refused(path, "is a Map, whose text depends on the order of its entries");
			}
			map.forEach((key, each) -> {
				check(key, path + " (a key of it)");
				check(each, path + "['" + key + "']");
			});
		}
		else if (value instanceof Collection<?> elements) {
			checkElements(elements, path);
		}
		else if (value.getClass().isArray()) {
			throw refused(path,
					"is a %s, whose text is not that of its elements".formatted(value.getClass().getSimpleName()));
		}
		else if (value instanceof Optional<?> optional) {
			check(optional.orElse(null), path);
		}
		else if (value instanceof Map.Entry<?, ?> entry) {
			check(entry.getKey(), path + ".key");
			check(entry.getValue(), path + ".value");
		}
		else if (value instanceof Date || value instanceof Calendar) {
			throw refused(path, "is a %s, whose text depends on the time zone of the JVM"
				.formatted(value.getClass().getSimpleName()));
		}
		else {
			String text = value.toString();
			if (text != null && value.getClass().getClassLoader() != null) {
				checkFields(value, text, path);
			}
			if (isIdentity(value, text)) {
				throw refused(path, "is a %s, which has no toString() of its own: every JVM would lock another name"
					.formatted(value.getClass().getTypeName()));
			}
		}
	}

	private static void checkElements(Collection<?> elements, String path) {
		boolean sorted = elements instanceof SortedSet<?> set && set.comparator() == null;
		if (!(sorted || elements instanceof List || elements instanceof Deque || elements instanceof EnumSet)) {
			throw refused(path, "is a %s, whose text depends on the order of its elements"
				.formatted(elements.getClass().getSimpleName()));
		}
		int i = 0;
		for (Object element : elements) {
			check(element, path + "[" + i++ + "]");
		}
	}

	/**
	 * What a text does not show is no part of the key. A text that is not generated, as
	 * that of records and of data classes is, may show anything: only what has no text of
	 * its value is looked for.
	 */
	private static void checkFields(Object value, String text, String path) {
		boolean generated = value instanceof Record || isDataClass(value.getClass());
		for (Class<?> type = value.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers()) && field.trySetAccessible()) {
					Object part = part(field, value);
					if ((generated || isFilledCollection(part) || part instanceof Record || part instanceof Date)
							&& text.contains(shown(part))) {
						check(part, path + "." + field.getName());
					}
					// As data classes of Kotlin show it.
					if (part instanceof Object[] elements && text.contains(Arrays.toString(elements))) {
						checkElements(Arrays.asList(elements), path + "." + field.getName());
					}
				}
			}
		}
	}

	private static @Nullable Object part(Field field, Object value) {
		try {
			return field.get(value);
		}
		catch (IllegalAccessException ex) {
			return null; // The text is looked at all the same.
		}
	}

	/**
	 * Return a part as the text around it shows it.
	 * @param part the part
	 * @return its text; {@code null} as a word for one that is null, or has no text
	 */
	public static String shown(@Nullable Object part) {
		return "" + part;
	}

	/** Of Kotlin. */
	private static boolean isDataClass(Class<?> type) {
		return Arrays.stream(type.getDeclaredMethods()).anyMatch((method) -> method.getName().startsWith("component1"));
	}

	/** Those of other libraries may load what they contain. */
	private static boolean isFilledCollection(@Nullable Object part) {
		boolean filled = (part instanceof Collection<?> elements && !elements.isEmpty())
				|| (part instanceof Map<?, ?> map && !map.isEmpty());
		return filled && part != null && part.getClass().getClassLoader() == null;
	}

	private static LockKeyException refused(String path, String reason) {
		return new LockKeyException("%s %s. Use what identifies it, such as its id".formatted(path, reason));
	}

	/**
	 * Whether this is the text that {@link Object} gives what has none. A proxy that
	 * extends the class, such as that of an entity that is not loaded yet, passes on the
	 * text of the object behind it, with a hash code that is not its own.
	 */
	private static boolean isIdentity(Object key, @Nullable String text) {
		int at = (text != null) ? text.lastIndexOf('@') : -1;
		if (text == null || at < 0) {
			return false;
		}
		if (text.contains("@" + Integer.toHexString(System.identityHashCode(key)))) {
			return true;
		}
		String name = text.substring(0, at);
		String hash = text.substring(at + 1);
		if (name.equals(key.getClass().getName())) {
			return hash.equals(Integer.toHexString(key.hashCode()));
		}
		return hash.matches("\\p{XDigit}+")
				&& Stream.<Class<?>>iterate(key.getClass(), (type) -> type != Object.class, Class::getSuperclass)
					.anyMatch((type) -> name.equals(type.getName()));
	}

	/** Return the type whose identity a text shows, as that of an array or of a class. */
	private static @Nullable String identity(String text) {
		if (text.indexOf('@') < 0) {
			return null;
		}
		Matcher matcher = IDENTITY.matcher(text);
		while (matcher.find()) {
			String name = matcher.group(1);
			if (name.startsWith("[") || name.contains("$$Lambda")) {
				return name;
			}
			// Other text may be directly in front of it.
			int dot = name.indexOf('.');
			for (int i = Math.max(0, dot - MAX_IN_FRONT); i < dot; i++) {
				if (isWithoutText(name.substring(i))) {
					return name.substring(i);
				}
			}
		}
		return null;
	}

	private static boolean isWithoutText(String name) {
		for (ClassLoader loader : new @Nullable ClassLoader[] { Thread.currentThread().getContextClassLoader(),
				KeyText.class.getClassLoader() }) {
			try {
				if (loader == null || loader.getResource(name.replace('.', '/') + ".class") == null) {
					continue; // a loader remembers each name that it is asked to load
				}
				Class<?> type = Class.forName(name, false, loader);
				return type.getMethod("toString").getDeclaringClass() == Object.class
						|| type.getMethod("hashCode").getDeclaringClass() == Object.class;
			}
			catch (ReflectiveOperationException | LinkageError ex) {
				// Then it is a text that only looks like one, such as an address.
			}
		}
		return false;
	}

}
