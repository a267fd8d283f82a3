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

package io.quorlock.redis.spring;

import java.io.IOException;
import java.util.Locale;
import java.util.NoSuchElementException;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.RedisConnectionFailureException;

import io.quorlock.LogText;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.redis.RespError;

/**
 * What the drivers' exceptions mean.
 */
final class RedisErrors {

	private RedisErrors() {
	}

	/** Return the error that a server replied with, if it replied. */
	static RespError error(Throwable failure) {
		return new RespError(describe(failure));
	}

	/**
	 * Translate a failure.
	 * @param failure what the driver threw
	 * @return nothing was sent, the server refused, or it is unknown
	 */
	static Failed toReply(Throwable failure) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		if (cause instanceof LinkException link) {
			return link.reply;
		}
		String message = describe(cause);
		// The JDK begins a message with capitals, too: SSL peer shut down incorrectly.
		// And Jedis sends on a broken connection, and may fail with another reply.
		boolean refused = !isOfConnection(failure) && isServerError(message);
		return new Failed(refused ? Failed.Cause.ERROR : Failed.Cause.CONNECTION_LOST,
				(error(failure).isOfMove() || message.startsWith("MOVED ")) ? explain(message) : message);
	}

	private static boolean isOfConnection(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof IOException || cause instanceof RedisConnectionFailureException) {
				return true;
			}
		}
		return false;
	}

	/** Servers begin their errors with a code in capitals: {@code READONLY ...}. */
	private static boolean isServerError(String message) {
		int end = message.indexOf(' ');
		String code = (end > 0) ? message.substring(0, end) : message;
		return code.length() > 2 && code.equals(code.toUpperCase(Locale.ROOT)) && Character.isLetter(code.charAt(0));
	}

	/**
	 * Return what an error says that a command failed with.
	 * @param message the message of the reply
	 * @return the text for people, as of any other node
	 */
	static String explain(String message) {
		return isServerError(message) ? new RespError(message).describe() : message;
	}

	static String describe(Throwable failure) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		String message = cause.getMessage();
		if (message == null) {
			return LogText.bounded(cause.getClass().getSimpleName());
		}
		// Otherwise it contains another time each time.
		return (cause instanceof NoSuchElementException && message.matches(".*(idle object|exhausted).*"))
				? "all connections of the application's pool are in use; raise its max-active"
				: LogText.bounded(message);
	}

}
