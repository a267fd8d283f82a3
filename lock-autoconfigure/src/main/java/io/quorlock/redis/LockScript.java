package io.quorlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The Lua scripts; their text is in files of the same names beside this class, where each
 * says what its keys and arguments are. A name comes as its lock key; the script adds the
 * suffixes of {@link RedisKeys} to it, so that every key lies in the slot of that one.
 * Each takes effect on all of its names or on none, so whatever can fail comes before the
 * first write. They run on Redis 6.2 and later and on Valkey.
 * <p>
 * A stored fence that is no number, or more than a day ahead of the proposal, is the
 * error {@code FENCE}: it is garbage, and must not spread to other nodes.
 * <p>
 * A refusal is an array: remaining milliseconds; per name what is in the way, or nil: an
 * owner cut to 512 bytes, an array of readers, {@code ~cooldown}, or {@code ~ticket:}
 * with an older ticket; with fencing the stored fence of each name. A node that refuses
 * the layout of the instance (R23) replies {@code ~sealed}, its seal, or -1 without one,
 * and that layout's version.
 *
 * @since 0.1.0
 */
public enum LockScript {

	/** One name, exclusively, with fencing. */
	ACQUIRE("version", "acquire-free", "clock", "waiting"),

	/** Some names, exclusively (R12). */
	ACQUIRE_ALL("version", "fences", "clock", "waiting"),

	/** Some names as a reader (R19). */
	ACQUIRE_SHARED("version", "fences", "clock", "waiting"),

	/** The first free permit of a name (R20). */
	ACQUIRE_PERMIT("version", "fences", "clock", "waiting"),

	/** The second round of fencing (R9). */
	RAISE("version", "fences"),

	/** The second round of fencing for a reader. */
	RAISE_SHARED("version", "fences", "clock", "waiting"),

	/** Renewal (R6). */
	RENEW("version", "fences", "clock", "waiting"),

	/** Renewal of a reader, and the turn from a writer into a reader. */
	RENEW_SHARED("version", "fences", "clock", "waiting"),

	/** Release (R8, R18). */
	RELEASE("clock", "announce"),

	/** Release of a reader. */
	RELEASE_SHARED("clock", "waiting", "announce"),

	/** Release of all permits of an attempt but one. */
	RELEASE_PERMIT("clock", "announce"),

	/** Removal of a ticket (R21). */
	WITHDRAW("clock", "announce"),

	/** The holders of one name and the claims that wait for it. */
	INSPECT("clock", "waiting"),

	/** Release, regardless of the holders of the names. */
	FORCE_RELEASE("clock", "waiting", "announce"),

	/** A request to the holders of a name (R24). */
	REQUEST_RELEASE("clock"),

	/** The node's record of the node list (R10). */
	RECORD;

	private final String source;

	private final String sha1;

	LockScript(String... fragments) {
		StringBuilder source = new StringBuilder();
		for (String fragment : fragments) {
			source.append(read(fragment));
		}
		source.append(read(name().toLowerCase(Locale.ROOT).replace('_', '-')));
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
	 * Whether the script ends an attempt: nothing of the attempt may follow it (R3).
	 * @return whether it releases
	 */
	public boolean isRelease() {
		return this == RELEASE || this == RELEASE_SHARED || this == RELEASE_PERMIT;
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
