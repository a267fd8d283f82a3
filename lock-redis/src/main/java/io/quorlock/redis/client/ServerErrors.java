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

package io.quorlock.redis.client;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.quorlock.LogText;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RespError;

/**
 * What a server's error means, without secrets: the reply to an unknown command repeats
 * its arguments, a password among them.
 *
 * @since 0.1.0
 */
public final class ServerErrors {

	private static final String DENIED_IN_SCRIPT = "can't run this command";

	/** As newer servers have it, which name the command. */
	private static final Pattern DENIED = Pattern.compile("ACL failure in script: .* run the '([^']+)' command");

	/** Of the keys or the channels of a command, not of the command itself. */
	private static final String DENIED_KEYS = " permissions to access ";

	private static final Pattern SCRIPT_LINE = Pattern
		.compile("(?:script: |call to f_)([0-9a-f]{40}).*?@user_script:(\\d+)");

	private static final Pattern COMMAND = Pattern.compile("\\bcall\\('(\\w+)'");

	private static final String ARGUMENTS = "with args beginning with";

	private ServerErrors() {
	}

	/**
	 * Describe an error.
	 * @param error the error
	 * @return what the server does, for people
	 */
	public static String describe(RespError error) {
		String message = error.message();
		return switch (error.code()) {
			case "NOAUTH" -> "requires a password: set distributed-lock.connection.password, or put it into the URI of "
					+ "the node";
			case "WRONGPASS" -> "refused the user name or password";
			case "LOADING" -> "is loading its data";
			case "READONLY" -> "is a read-only replica";
			case "MASTERDOWN" -> "is a replica that lost its master";
			case "NOSCRIPT" -> "no longer has its scripts";
			case "NOPERM" -> "denies a permission: " + LogText.bounded(message);
			case "OOM" -> "cannot write: its memory is full";
			case "MISCONF" -> "cannot write: it cannot save its data to disk (MISCONF)";
			case "NOREPLICAS" -> "cannot write: it has fewer replicas than it must have (NOREPLICAS)";
			case "MOVED" ->
				"keeps the lock on another server of its Redis Cluster; let the connections know the Cluster "
						+ "(spring.data.redis.cluster.nodes): " + LogText.bounded(message);
			case "ASK", "TRYAGAIN" -> "moves the slot of the lock to another server (resharding); the lock can be "
					+ "granted again when the move ends: " + LogText.bounded(message);
			default -> {
				Matcher denied = DENIED.matcher(message);
				if (denied.find()) {
					yield "denies a permission that a lock script needs: "
							+ LogText.bounded(denied.group(1)).toUpperCase(Locale.ROOT);
				}
				if (message.contains(DENIED_IN_SCRIPT)) {
					yield "denies a permission that a lock script needs: " + commandsOf(message);
				}
				int arguments = message.indexOf(ARGUMENTS);
				yield "replied: " + LogText
					.bounded((arguments >= 0) ? message.substring(0, arguments).replaceFirst(",? $", "") : message);
			}
		};
	}

	/** The server reports the script and its line, not the command. */
	private static String commandsOf(String message) {
		Matcher place = SCRIPT_LINE.matcher(message);
		if (place.find()) {
			for (LockScript script : LockScript.values()) {
				if (script.sha1().equals(place.group(1))) {
					return script.source()
						.lines()
						.skip(Integer.parseInt(place.group(2)) - 1L)
						.limit(1)
						.flatMap((line) -> COMMAND.matcher(line).results())
						.map((call) -> call.group(1))
						.distinct()
						.collect(Collectors.joining(" or "));
				}
			}
		}
		return LogText.bounded(message);
	}

	/**
	 * Return whether the server refuses every command until a new handshake. One that
	 * denies some keys or channels, or what one script calls, may allow others.
	 */
	static boolean isUnusable(RespError error) {
		return switch (error.code()) {
			case "NOAUTH", "LOADING", "READONLY", "MASTERDOWN" -> true;
			case "NOPERM" -> !error.message().contains(DENIED_KEYS) && !DENIED.matcher(error.message()).find();
			default -> false;
		};
	}

	/**
	 * Return whether a right is missing.
	 */
	static boolean isDenied(RespError error) {
		return error.code().equals("NOPERM") || error.message().contains(DENIED_IN_SCRIPT)
				|| DENIED.matcher(error.message()).find();
	}

	/**
	 * Return whether only a replica refuses a command so.
	 */
	static boolean isOfReplica(RespError error) {
		return error.code().equals("READONLY") || error.code().equals("MASTERDOWN");
	}

	/**
	 * Return whether the server is there and cannot write at present.
	 */
	static boolean isCannotWrite(RespError error) {
		return Set.of("OOM", "MISCONF", "NOREPLICAS").contains(error.code());
	}

	/**
	 * Return whether a Cluster refuses a command as long as it moves the slot of its
	 * keys.
	 * @param error the error
	 * @return whether it is an answer about the slot, not about the lock
	 */
	public static boolean isOfMove(RespError error) {
		return error.code().equals("ASK") || error.code().equals("TRYAGAIN");
	}

}
