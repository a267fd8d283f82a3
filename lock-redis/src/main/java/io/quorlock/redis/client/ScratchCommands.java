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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

import io.quorlock.redis.LockScript;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RespError;

/**
 * Each script once, on keys that no lock has: whether the server lets us run them, with
 * all the rights that they need, and has the memory for it.
 */
final class ScratchCommands {

	private static final String MILLIS = "1000";

	/** Of an exclusive lock, which is the most frequent one. */
	private static final Set<LockScript> NEEDED_TO_GRANT = EnumSet.of(LockScript.ACQUIRE_PLAIN, LockScript.ACQUIRE,
			LockScript.RAISE, LockScript.RENEW, LockScript.RENEW_ALL);

	/** In the tickets, and nowhere else. */
	private static final String WAITER = ":1:probe:";

	private final RedisKeys keys;

	private final String key;

	private final String owner;

	private final String ticket;

	private final String later;

	private final List<byte[]> commands = new ArrayList<>();

	/**
	 * Create the commands.
	 * @param keys makes the keys
	 */
	private ScratchCommands(RedisKeys keys) {
		this.keys = keys;
		// Others may try at the same time.
		String id = Integer.toHexString(ThreadLocalRandom.current().nextInt());
		this.key = keys.recordKey() + ":probe:" + id;
		this.owner = "probe:" + id;
		this.ticket = "0000000000000001:w" + WAITER + id + ":1";
		this.later = "0000000000000002:1" + WAITER + id + ":2";
	}

	static List<byte[]> of(RedisKeys keys, RecordUpdater record) {
		return new ScratchCommands(keys).create(record);
	}

	/**
	 * Return the command that ends a connection.
	 */
	static byte[] kill(long clientId) {
		return RespEncoder.command("CLIENT", "KILL", "ID", Long.toString(clientId));
	}

	/**
	 * Return whether no lock can be granted, or kept, on a node that refuses a command.
	 * @param command one of these commands
	 * @return false if it merely notifies, waits, looks, keeps the record or is of
	 * another kind of lock
	 */
	static boolean isNeededToGrant(byte[] command) {
		String text = new String(command, StandardCharsets.ISO_8859_1);
		return !text.contains(WAITER) && NEEDED_TO_GRANT.stream().anyMatch((script) -> text.contains(script.sha1()));
	}

	private List<byte[]> create(RecordUpdater record) {
		acquire(LockScript.ACQUIRE_PLAIN, "1");
		acquire(LockScript.ACQUIRE_PLAIN, "1"); // refused
		acquire(LockScript.ACQUIRE, "1", this.ticket, MILLIS); // refused, and waits
		acquire(LockScript.ACQUIRE, "1", this.ticket, MILLIS); // asks again
		acquirePermit(this.later, MILLIS); // has to wait behind it
		add(LockScript.RAISE, this.owner, MILLIS, "2");
		add(LockScript.RENEW, this.owner, MILLIS, "1", MILLIS, "3", "1");
		add(LockScript.RENEW_ALL, MILLIS, MILLIS, "0", this.owner, "3");
		acquire(LockScript.ACQUIRE_SHARED, "1"); // refused
		add(LockScript.INSPECT);
		add(LockScript.REQUEST_RELEASE, "1", "1");
		add(LockScript.RELEASE, this.owner, "1");
		add(LockScript.RELEASE, this.owner, "0", this.ticket, MILLIS); // offers it
		add(LockScript.WITHDRAW, this.ticket, "1");
		add(LockScript.WITHDRAW, this.later, "1");
		add(LockScript.FORCE_RELEASE, "0");
		add(LockScript.ACQUIRE_ALL, this.owner, MILLIS, "0", "1");
		add(LockScript.RENEW_SHARED, this.owner, MILLIS, "0");
		add(LockScript.RELEASE_SHARED, this.owner, "0");
		acquire(LockScript.ACQUIRE_SHARED, "1");
		add(LockScript.RAISE_SHARED, this.owner, MILLIS, "4");
		add(LockScript.INSPECT);
		add(LockScript.RELEASE_SHARED, this.owner, MILLIS);
		add(LockScript.RELEASE_SHARED, this.owner, "0");
		acquirePermit();
		add(LockScript.RELEASE_PERMIT, this.owner, "0", "1", "0");
		add(LockScript.RELEASE, this.owner, "0");
		this.commands.add(RespEncoder.command("PUBLISH", this.keys.instanceChannel(this.owner), this.owner));
		this.commands.add(kill(Long.MAX_VALUE));
		forget(this.key + ":fence");
		String recordKey = this.key + ":record";
		this.commands.add(record.command(RecordUpdater.Action.JOIN, recordKey, MILLIS));
		this.commands.add(record.command(RecordUpdater.Action.BYE, recordKey));
		forget(recordKey);
		return this.commands;
	}

	/** With fencing. */
	private void acquire(LockScript script, String... more) {
		List<String> args = new ArrayList<>(List.of(this.owner, MILLIS, MILLIS, "1"));
		args.addAll(List.of(more));
		add(script, args.toArray(String[]::new));
	}

	/** Of one permit, without fencing. */
	private void acquirePermit(String... more) {
		List<String> args = new ArrayList<>(List.of(this.owner, MILLIS, "0", "1", "1", "1"));
		args.addAll(List.of(more));
		add(LockScript.ACQUIRE_PERMIT, args.toArray(String[]::new));
	}

	private void add(LockScript script, String... args) {
		add(this.key, script, args);
	}

	private void add(String key, LockScript script, String... args) {
		this.commands.add(RespEncoder.evalsha(script, key, 1, List.of(args)));
	}

	private void forget(String key) {
		add(key, LockScript.FORCE_RELEASE, "0");
	}

	/**
	 * What a server does not carry out of the commands.
	 *
	 * @param failure why it can grant no lock; empty if it can
	 * @param unusable whether it refuses every command, so that held locks cannot be kept
	 * either
	 * @param degradation what it refuses though it grants locks; empty if nothing
	 */
	record Refusals(String failure, boolean unusable, String degradation) {

		static final Refusals NONE = new Refusals("", false, "");

		/**
		 * Return these and what one more command showed. The first reason counts.
		 */
		Refusals and(byte[] command, @Nullable Object reply) {
			if (!(reply instanceof RespError error) || error.isNoScript()) {
				return this;
			}
			String reason = error.describe();
			if (isNeededToGrant(command)) {
				return this.failure.isEmpty() ? new Refusals(reason, error.isUnusable(), "") : this;
			}
			return (this.failure.isEmpty() && this.degradation.isEmpty()) ? new Refusals("", false, reason) : this;
		}

	}

}
