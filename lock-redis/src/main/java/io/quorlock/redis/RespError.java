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

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.quorlock.LogText;
import io.quorlock.quorum.node.LockTarget;

/**
 * An error that a server replied with, and what it means, without secrets: the reply to
 * an unknown command repeats its arguments, a password among them.
 *
 * @param message the message, which begins with a code such as {@code NOSCRIPT}
 * @since 0.1.0
 */
public record RespError(String message) {

	/** Before Redis 7, what was called and where stands in front of the error itself. */
	private static final Pattern IN_SCRIPT = Pattern.compile(
			"ERR Error running script \\(call to f_[0-9a-f]{40}\\): (?:@user_script: ?\\d+: )*-?(.*)", Pattern.DOTALL);

	private static final String DENIED_IN_SCRIPT = "can't run this command";

	/** As newer servers have it, which name the command. */
	private static final Pattern DENIED = Pattern.compile("ACL failure in script: .* run the '([^']+)' command");

	/** Of the keys or the channels of a command, not of the command itself. */
	private static final String DENIED_KEYS = " permissions to access ";

	private static final Pattern SCRIPT_LINE = Pattern
		.compile("(?:script: |call to f_)([0-9a-f]{40}).*?@user_script:(\\d+)");

	private static final Pattern COMMAND = Pattern.compile("\\bcall\\('(\\w+)'");

	private static final String ARGUMENTS = "with args beginning with";

	private static final int MAX_NAMES = 3;

	static RespError of(byte[] message) {
		return new RespError(new String(message, StandardCharsets.UTF_8));
	}

	/**
	 * Return the code at the beginning of the message, or of the error inside of a
	 * script.
	 * @return such as {@code NOSCRIPT}
	 */
	public String code() {
		Matcher inner = IN_SCRIPT.matcher(this.message);
		String error = inner.matches() ? inner.group(1) : this.message;
		int space = error.indexOf(' ');
		return (space < 0) ? error : error.substring(0, space);
	}

	/**
	 * Describe the error.
	 * @return what the server does, for people
	 */
	public String describe() {
		return switch (code()) {
			case "NOAUTH" -> "requires a password: set distributed-lock.connection.password, or put it into the URI of "
					+ "the node";
			case "WRONGPASS" -> "refused the user name or password";
			case "LOADING" -> "is loading its data";
			case "READONLY" -> "is a read-only replica";
			case "MASTERDOWN" -> "is a replica that lost its master";
			case "NOSCRIPT" -> "no longer has its scripts";
			case "NOPERM" -> "denies a permission: " + LogText.bounded(this.message);
			case "OOM" -> "cannot write: its memory is full";
			case "MISCONF" -> "cannot write: it cannot save its data to disk (MISCONF)";
			case "NOREPLICAS" -> "cannot write: it has fewer replicas than it must have (NOREPLICAS)";
			case "MOVED" ->
				"keeps the lock on another server of its Redis Cluster; let the connections know the Cluster "
						+ "(spring.data.redis.cluster.nodes): " + LogText.bounded(this.message);
			case "ASK", "TRYAGAIN" -> "moves the slot of the lock to another server (resharding); the lock can be "
					+ "granted again when the move ends: " + LogText.bounded(this.message);
			default -> {
				Matcher denied = DENIED.matcher(this.message);
				if (denied.find()) {
					yield "denies a permission that a lock script needs: "
							+ LogText.bounded(denied.group(1)).toUpperCase(Locale.ROOT);
				}
				if (this.message.contains(DENIED_IN_SCRIPT)) {
					yield "denies a permission that a lock script needs: " + deniedCommands();
				}
				int arguments = this.message.indexOf(ARGUMENTS);
				yield "replied: " + LogText.bounded((arguments >= 0)
						? this.message.substring(0, arguments).replaceFirst(",? $", "") : this.message);
			}
		};
	}

	/** The server reports the script and its line, not the command. */
	private String deniedCommands() {
		Matcher place = SCRIPT_LINE.matcher(this.message);
		if (!place.find()) {
			return LogText.bounded(this.message);
		}
		return Stream.of(LockScript.values())
			.filter((script) -> script.sha1().equals(place.group(1)))
			.findFirst()
			.map((script) -> script.source()
				.lines()
				.skip(Integer.parseInt(place.group(2)) - 1L)
				.limit(1)
				.flatMap((line) -> COMMAND.matcher(line).results())
				.map((call) -> call.group(1))
				.distinct()
				.collect(Collectors.joining(" or ")))
			.orElseGet(() -> LogText.bounded(this.message));
	}

	/**
	 * Describe an error {@linkplain #isOfKeys() of the keys}: which of them to look at,
	 * and the cure.
	 * @param target what the command was about
	 * @param keys makes its keys
	 * @return the text for people, safe to log
	 */
	public String describe(LockTarget target, RedisKeys keys) {
		boolean fence = code().equals("FENCE");
		List<String> names = target.names();
		String shown = names.stream()
			.limit(MAX_NAMES)
			.map((name) -> LogText.escape(fence ? fenceKeys(name, target, keys) : keys.lockKey(name)))
			.collect(Collectors.joining(", "));
		String text = (names.size() > MAX_NAMES) ? shown + " and " + (names.size() - MAX_NAMES) + " more" : shown;
		return fence
				? "holds no usable fencing token under %s (not a number, or more than a day ahead of the clocks): delete the key"
					.formatted(text)
				: "holds a value of another type under a key that begins with %s: delete that key".formatted(text);
	}

	/** Each permit has a fence of its own. */
	private static String fenceKeys(String name, LockTarget target, RedisKeys keys) {
		if (target.kind() != LockTarget.Kind.PERMIT) {
			return keys.fenceKey(name);
		}
		String first = keys.permitFenceKey(name, 1);
		return (target.permits() == 1) ? first : first + " to " + keys.permitFenceKey(name, target.permits());
	}

	/**
	 * Return whether the error concerns the keys of the command alone.
	 * @return whether other locks may be fine
	 */
	public boolean isOfKeys() {
		return Set.of("WRONGTYPE", "FENCE").contains(code());
	}

	/**
	 * Return whether the server no longer has the script.
	 * @return whether the script is to be sent again
	 */
	public boolean isNoScript() {
		return code().equals("NOSCRIPT");
	}

	/**
	 * Return whether the server refuses every command until a new handshake. One that
	 * denies some keys or channels, or what one script calls, may allow others.
	 * @return whether its connection is of no use
	 */
	public boolean isUnusable() {
		return switch (code()) {
			case "NOAUTH", "LOADING", "READONLY", "MASTERDOWN" -> true;
			case "NOPERM" -> !this.message.contains(DENIED_KEYS) && !DENIED.matcher(this.message).find();
			default -> false;
		};
	}

	/**
	 * Return whether a right is missing.
	 * @return whether the server denies it
	 */
	public boolean isDenied() {
		return code().equals("NOPERM") || this.message.contains(DENIED_IN_SCRIPT)
				|| DENIED.matcher(this.message).find();
	}

	/**
	 * Return whether only a replica refuses a command so.
	 * @return whether it is a replica
	 */
	public boolean isOfReplica() {
		return Set.of("READONLY", "MASTERDOWN").contains(code());
	}

	/**
	 * Return whether the server is there and cannot write at present.
	 * @return whether it may still be read
	 */
	public boolean isCannotWrite() {
		return Set.of("OOM", "MISCONF", "NOREPLICAS").contains(code());
	}

	/**
	 * Return whether a Cluster refuses a command as long as it moves the slot of its
	 * keys.
	 * @return whether it is an answer about the slot, not about the lock
	 */
	public boolean isOfMove() {
		return Set.of("ASK", "TRYAGAIN").contains(code());
	}

}
