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

/**
 * The keys and channels that stand for locks on the wire: {@code <prefix>{<name>}}, and
 * the same with {@code :fence}, {@code :readers}, {@code :line}, {@code :ends},
 * {@code :permit:<number>} and {@code :permit:<number>:fence}. The braces keep the keys
 * of one name in one slot of a Cluster.
 *
 * @param prefix before every key, without braces
 * @since 0.1.0
 */
public record RedisKeys(String prefix) {

	/** What follows the lock key, here and in the scripts. */
	static final String FENCE = ":fence";

	static final String READERS = ":readers";

	static final String LINE = ":line";

	static final String ENDS = ":ends";

	static final String PERMIT = ":permit:";

	/** In the list of a script's keys: the key of each permit. */
	static final String PERMITS = PERMIT + "*";

	/** In the list of a script's keys: the fence key of each permit. */
	static final String PERMIT_FENCES = PERMITS + FENCE;

	/** Between the prefix and the instance; locks have a brace there. */
	private static final String INSTANCE = "instance:";

	/**
	 * Return the key whose value is the owner.
	 * @param name the lock
	 * @return the key
	 */
	public String lockKey(String name) {
		return this.prefix + "{" + name + "}";
	}

	/**
	 * Return the key whose value is the greatest fencing token that the node knows.
	 * @param name the lock
	 * @return the key
	 */
	public String fenceKey(String name) {
		return lockKey(name) + FENCE;
	}

	/**
	 * Return the key of a permit.
	 * @param name the lock
	 * @param permit the number of the permit, from 1 on
	 * @return the key
	 */
	public String permitKey(String name, int permit) {
		return lockKey(name) + PERMIT + permit;
	}

	/**
	 * Return the key of the greatest fencing token of a permit that the node knows.
	 * @param name the lock
	 * @param permit the number of the permit, from 1 on
	 * @return the key
	 */
	public String permitFenceKey(String name, int permit) {
		return permitKey(name, permit) + FENCE;
	}

	/**
	 * Return the channel of an instance, on which it receives offers and release
	 * requests.
	 * @param instance the instance part of its owners: what stands before the last colon
	 * @return the channel
	 */
	public String instanceChannel(String instance) {
		return this.prefix + INSTANCE + instance;
	}

	/**
	 * Return the key of the node's record of the node list. No lock has this key: those
	 * have braces.
	 * @return the key
	 */
	public String recordKey() {
		return this.prefix + "nodes";
	}

}
