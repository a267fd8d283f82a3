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

package io.quorlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import static io.quorlock.redis.RedisKeys.ENDS;
import static io.quorlock.redis.RedisKeys.FENCE;
import static io.quorlock.redis.RedisKeys.LINE;
import static io.quorlock.redis.RedisKeys.PERMIT;
import static io.quorlock.redis.RedisKeys.PERMITS;
import static io.quorlock.redis.RedisKeys.PERMIT_FENCES;
import static io.quorlock.redis.RedisKeys.READERS;

/**
 * The Lua scripts; their text is in resources of this package, of which some consist of
 * several, and each says what its keys and arguments are. Every key that a script touches
 * is one of its {@linkplain #keys declared keys}, and lies in the slot of its name. Each
 * takes effect on all of its names or on none, so whatever can fail comes before the
 * first write. They run on Redis 6.2 and later and on Valkey.
 * <p>
 * A stored fence that is no number, or more than a day ahead of the proposal, is the
 * error {@code FENCE}: it is garbage, and must not spread to other nodes.
 * <p>
 * A refusal is an array: remaining milliseconds; per name what is in the way, or nil: an
 * owner cut to 512 bytes, an array of readers, {@code ~cooldown}, or {@code ~ticket:}
 * with an older ticket; with fencing the stored fence of each name; and how many tickets
 * stand before that of the claim.
 *
 * @since 0.1.0
 */
public enum LockScript {

	/**
	 * One name, exclusively, for a claim without a ticket: what nearly all locks need,
	 * with fewer keys than {@link #ACQUIRE}.
	 */
	ACQUIRE_PLAIN(List.of(FENCE, LINE), "acquire-free", "publish"),

	/** One name, exclusively. */
	ACQUIRE(List.of(FENCE, LINE, ENDS, READERS), "acquire-free", "clock", "holders", "publish", "line", "refuse"),

	/** Some names, exclusively. */
	ACQUIRE_ALL(List.of(FENCE, LINE, ENDS, READERS), "fences", "clock", "holders", "publish", "line", "refuse"),

	/** Some names as a reader. */
	ACQUIRE_SHARED(List.of(FENCE, LINE, ENDS, READERS), "fences", "clock", "holders", "publish", "line", "refuse"),

	/** The first free permit of a name. */
	ACQUIRE_PERMIT(List.of(LINE, ENDS, PERMITS, PERMIT_FENCES), "fences", "clock", "holders", "publish", "line"),

	/** The second round of fencing. */
	RAISE(List.of(FENCE), "fences"),

	/** The second round of fencing for a reader. */
	RAISE_SHARED(List.of(FENCE, READERS), "fences", "clock"),

	/** Renewal. */
	RENEW(List.of(FENCE), "fences", "clock", "holders", "prolong"),

	/** Renewal of several leases, each by itself. */
	RENEW_ALL(List.of(FENCE), "fences", "prolong"),

	/** Renewal of a reader, and the turn from a writer into a reader. */
	RENEW_SHARED(List.of(FENCE, READERS, LINE, ENDS), "fences", "clock", "holders", "publish", "line"),

	/** Release. */
	RELEASE(List.of(LINE, ENDS), "release-free", "clock", "holders", "publish", "line", "stand"),

	/** Release of a reader. */
	RELEASE_SHARED(List.of(READERS, LINE, ENDS), "clock", "holders", "publish", "line", "stand"),

	/** Release of all permits of an attempt but one. */
	RELEASE_PERMIT(List.of(LINE, ENDS, PERMITS), "clock", "holders", "publish", "line"),

	/** Removal of a ticket. */
	WITHDRAW(List.of(LINE, ENDS, PERMITS), "clock", "holders", "publish", "line"),

	/** The holders of one name and the claims that wait for it. */
	INSPECT(List.of(FENCE, READERS, LINE, ENDS, PERMITS, PERMIT_FENCES), "clock", "holders", "publish", "line",
			"each-holder"),

	/** Release of one name, regardless of its holders. */
	FORCE_RELEASE(List.of(READERS, LINE, ENDS, PERMITS), "clock", "holders", "publish", "line", "each-holder"),

	/** A request to the holders of a name. */
	REQUEST_RELEASE(List.of(READERS, PERMITS), "clock", "holders", "publish", "each-holder"),

	/** The node's record of the node list. */
	RECORD(List.of());

	/** The fragment that defines what wraps the reply. */
	private static final String MESSAGES = "publish";

	/** Of the keys that each of its locks has. */
	private final byte[][] suffixes;

	/** Of the keys that each permit has, behind its number. */
	private final String[] permitSuffixes;

	private final String source;

	private final String sha1;

	LockScript(List<String> suffixes, String... fragments) {
		this.suffixes = suffixes.stream()
			.filter((suffix) -> !suffix.startsWith(PERMIT))
			.map(LockScript::ascii)
			.toArray(byte[][]::new);
		this.permitSuffixes = suffixes.stream()
			.filter((suffix) -> suffix.startsWith(PERMIT))
			.map((suffix) -> suffix.substring(PERMITS.length()))
			.toArray(String[]::new);
		StringBuilder source = new StringBuilder();
		for (String fragment : fragments) {
			source.append(read(fragment));
		}
		String main = read(name().toLowerCase(Locale.ROOT).replace('_', '-'));
		boolean publishes = List.of(fragments).contains(MESSAGES);
		source.append(publishes ? "local function main()\n" + main + "end\nreturn with_messages(main())\n" : main);
		this.source = source.toString();
		this.sha1 = sha1(this.source);
	}

	/** Comments and indentation stay where they are read: servers get the rest. */
	private static String read(String file) {
		try (@Nullable
		InputStream in = LockScript.class.getResourceAsStream(file + ".lua")) {
			if (in == null) {
				throw new IllegalStateException(
						"The script " + file + ".lua is missing beside " + LockScript.class.getName());
			}
			String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
			return text.replaceAll("(?m)(^|\\s)--.*$", "").replaceAll("(?m)^\\s+", "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The text of the script.
	 * @return Lua
	 */
	public String source() {
		return this.source;
	}

	/**
	 * The name under which a server keeps the script.
	 * @return 40 hexadecimal digits
	 */
	public String sha1() {
		return this.sha1;
	}

	/**
	 * Return every key that the script may touch (servers insist on it that share slots
	 * between threads): the locks; then, lock by lock, what belongs to it.
	 * @param locks the lock keys or, of a script that handles one permit, its key
	 * @param permits the number of permits of the one lock, 0 if it has none
	 * @return the keys
	 */
	public byte[][] keys(byte[][] locks, int permits) {
		int each = this.suffixes.length;
		byte[][] keys = new byte[locks.length * (1 + each) + permits * this.permitSuffixes.length][];
		int next = locks.length;
		for (int i = 0; i < locks.length; i++) {
			keys[i] = locks[i];
			for (int j = 0; j < each; j++) {
				keys[next++] = join(locks[i], this.suffixes[j]);
			}
		}
		for (String suffix : this.permitSuffixes) {
			for (int permit = 1; permit <= permits; permit++) {
				keys[next++] = join(locks[0], ascii(PERMIT + permit + suffix));
			}
		}
		return keys;
	}

	private static byte[] join(byte[] lock, byte[] suffix) {
		byte[] key = new byte[lock.length + suffix.length];
		System.arraycopy(lock, 0, key, 0, lock.length);
		System.arraycopy(suffix, 0, key, lock.length, suffix.length);
		return key;
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Whether the script ends an attempt: nothing of the attempt may follow it.
	 * @return whether it releases
	 */
	public boolean isRelease() {
		return this == RELEASE || this == RELEASE_SHARED || this == RELEASE_PERMIT;
	}

	/**
	 * Whether the script looks at the keys alone that an uncontended lock needs.
	 * @return whether a refusal may be {@linkplain ScriptReply#isPartial partial}
	 */
	public boolean isPlain() {
		return this == ACQUIRE_PLAIN;
	}

	private static String sha1(String source) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-1").digest(source.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
