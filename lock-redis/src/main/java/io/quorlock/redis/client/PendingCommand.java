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

import java.util.function.ObjLongConsumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RespReader;

/**
 * One command on its way through a {@link Pipeline}, and what becomes of its reply.
 */
class PendingCommand {

	private static final Log logger = LogFactory.getLog(PendingCommand.class);

	private final byte[] bytes;

	/** When it was put into the queue. */
	private long queuedNanos;

	PendingCommand(byte[] bytes) {
		this.bytes = bytes;
	}

	/**
	 * Create a command of housekeeping. If it gets no reply, the next connection makes up
	 * for it.
	 * @param bytes the command
	 * @param onReply called with the reply, and with when the command was queued
	 */
	static PendingCommand of(byte[] bytes, ObjLongConsumer<@Nullable Object> onReply) {
		return new PendingCommand(bytes) {

			@Override
			void onReply(@Nullable Object reply) {
				onReply.accept(reply, queuedNanos());
			}

		};
	}

	/**
	 * Create a command that loads a script again which the server no longer has. The
	 * command behind it finds out whether it worked.
	 */
	static PendingCommand loading(LockScript script) {
		return new PendingCommand(RespEncoder.command("SCRIPT", "LOAD", script.source()));
	}

	/**
	 * Call a handler: one that fails must not keep the others from their replies.
	 */
	static void call(Runnable handler) {
		try {
			handler.run();
		}
		catch (RuntimeException | Error ex) {
			onHandlerFailed(ex);
		}
	}

	/**
	 * As {@link #call}, without an object for each reply.
	 */
	final void deliver(@Nullable Object reply) {
		try {
			onReply(reply);
		}
		catch (RuntimeException | Error ex) {
			onHandlerFailed(ex);
		}
	}

	private static void onHandlerFailed(Throwable failure) {
		logger.error("A handler of a reply failed; report it with what follows", failure);
	}

	final byte[] bytes() {
		return this.bytes;
	}

	final long queuedNanos() {
		return this.queuedNanos;
	}

	/**
	 * Called under the queue's lock, right before the command is put into it.
	 */
	void onQueued(long nowNanos) {
		this.queuedNanos = nowNanos;
	}

	/**
	 * Return whether the command is taken even though many are pending, up to a second
	 * limit.
	 */
	boolean isUrgent() {
		return true;
	}

	/**
	 * Return whether its reply, unless it is an error, comes as a push message.
	 */
	boolean isConfirmedByPush() {
		return false;
	}

	/**
	 * Return how large the reply may be.
	 */
	RespReader.Limits limits() {
		return RespReader.Limits.HANDSHAKE;
	}

	/**
	 * The server replied.
	 * @param reply as {@link RespReader} returns it
	 */
	void onReply(@Nullable Object reply) {
	}

	/**
	 * There will be no reply.
	 * @param cause {@link Cause#CONNECTION_LOST} or {@link Cause#NOT_SENT}
	 * @param reason why
	 */
	void onFailure(Cause cause, String reason) {
	}

}
