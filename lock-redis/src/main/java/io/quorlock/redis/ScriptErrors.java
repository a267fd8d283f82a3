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

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.quorlock.LogText;
import io.quorlock.quorum.node.LockTarget;

/**
 * What the errors of a {@link LockScript} mean that concern the keys of one lock: which
 * keys to look at, and the cure.
 *
 * @since 0.1.0
 */
public final class ScriptErrors {

	private static final int MOST_NAMES = 3;

	/** Before Redis 7, what was called and where stands in front of the error itself. */
	private static final Pattern IN_SCRIPT = Pattern.compile(
			"ERR Error running script \\(call to f_[0-9a-f]{40}\\): (?:@user_script: ?\\d+: )*-?(.*)", Pattern.DOTALL);

	private ScriptErrors() {
	}

	/**
	 * Return the error of the command inside of a script, as Redis 7 reports it.
	 * @param message the error of the server
	 * @return the error that begins with its code, or the message if it has none inside
	 */
	static String inner(String message) {
		Matcher inner = IN_SCRIPT.matcher(message);
		return inner.matches() ? inner.group(1) : message;
	}

	/**
	 * Return whether an error concerns the keys of the command alone.
	 * @param message the error of the server
	 * @return whether other locks may be fine
	 */
	public static boolean isOfKeys(String message) {
		String error = inner(message);
		return error.startsWith("WRONGTYPE") || error.startsWith("FENCE");
	}

	/**
	 * Return what is wrong and how it is cured, with the keys.
	 * @param message the error of the server
	 * @param target what the command was about
	 * @param keys makes its keys
	 * @return the text, safe to log
	 */
	public static String describe(String message, LockTarget target, RedisKeys keys) {
		boolean fence = message.startsWith("FENCE");
		List<String> names = target.names();
		StringBuilder text = new StringBuilder();
		for (String name : names.subList(0, Math.min(MOST_NAMES, names.size()))) {
			text.append(text.isEmpty() ? "" : ", ");
			text.append(LogText.escape(fence ? fenceKeys(name, target, keys) : keys.lockKey(name)));
		}
		if (names.size() > MOST_NAMES) {
			text.append(" and ").append(names.size() - MOST_NAMES).append(" more");
		}
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

}
