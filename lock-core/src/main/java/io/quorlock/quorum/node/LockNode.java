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

package io.quorlock.quorum.node;

import java.util.List;

import io.quorlock.LockKeyException;

/**
 * One independent master that votes: a Redis server, as the quorum sees it. Implemented
 * by a driver.
 * <p>
 * No method blocks, except {@link #stop()}. Commands that are submitted one after another
 * reach the server in that order, on one connection, and each gets exactly one reply.
 * <p>
 * <strong>Callers must not hold a lock</strong> while they call
 * {@link #submit(NodeCommand, int, ReplyHandler) submit}, {@link #enqueue},
 * {@link #flush}, {@link #listen} or {@link #start}: where the reply is known at once
 * ({@link NodeReply.Failed.Cause#NOT_SENT}, or the reply of a node in memory) the handler
 * or listener may be called on the calling thread, before the method returns. A driver in
 * turn holds no lock of its own while it calls a handler or a listener.
 *
 * @since 0.1.0
 */
public interface LockNode {

	/**
	 * Return the node's address, {@code host:port}, without user, password or parameters.
	 * All instances of the fleet use the same name for it.
	 * @return the name
	 */
	String name();

	/**
	 * Return what is known of the node now.
	 * @return the status
	 */
	NodeStatus status();

	/**
	 * Begin to connect, and keep connecting with a growing back-off until
	 * {@link #stop()}. A stopped node can be started again.
	 * @param listener is notified of connections and messages
	 */
	void start(NodeListener listener);

	/**
	 * Send a command. If the node is down or too many commands are pending, the reply is
	 * {@link NodeReply.Failed} with {@link NodeReply.Failed.Cause#NOT_SENT}.
	 * @param command the command
	 * @param slot a number that comes back with the reply
	 * @param handler receives the reply; see above for the thread that calls it
	 */
	void submit(NodeCommand command, int slot, ReplyHandler handler);

	/**
	 * Send renewals of several leases, with one command where the driver can.
	 * @param joint the renewals, each of which gets a reply of its own
	 * @param slot a number that comes back with each reply
	 */
	default void submit(JointRenewal joint, int slot) {
		joint.members().forEach((member) -> submit(member.command(), slot, member.handler()));
	}

	/**
	 * Like {@link #submit}, but the command may be sent together with the next one that
	 * is submitted, or upon {@link #flush()}: one packet instead of two. Without either,
	 * it is sent within a second.
	 * @param command the command
	 * @param slot a number that comes back with the reply
	 * @param handler receives the reply
	 */
	default void enqueue(NodeCommand command, int slot, ReplyHandler handler) {
		submit(command, slot, handler);
	}

	/**
	 * Send what {@link #enqueue} and {@link #listen} have queued.
	 */
	default void flush() {
	}

	/**
	 * Check that several names can be locked together.
	 * @param names the names
	 * @throws LockKeyException if they cannot
	 */
	default void check(List<String> names) {
	}

	/**
	 * Subscribe to the messages to an instance, behind the commands that were given
	 * before, and end the subscription to those of another one. Idempotent; survives
	 * reconnects. May be sent as late as an enqueued command.
	 * @param instance the instance part of owners: what stands before the last colon
	 */
	void listen(String instance);

	/**
	 * Send what is queued, for a short time at most, then close all connections. Blocks
	 * for that time.
	 */
	void stop();

}
