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

package io.quorlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

import io.quorlock.zookeeper.SessionRequests.Reply;

/**
 * Why a name is not granted though it is not held (R18): its last holder asked for that.
 * Kept in a persistent node, since it outlives the session, and shut-down. It ends by the
 * servers' clocks, as far as the claim that reads it knows them, at the latest when a
 * claim has known of it for its whole time.
 *
 * @param millis how long the name cools down from the creation of the node on
 * @param owner the token of the last holder
 */
record Cooldown(long millis, String owner) {

	static byte[] data(Duration duration, String owner) {
		return (Math.max(1, duration.toMillis()) + " " + owner).getBytes(StandardCharsets.UTF_8);
	}

	static Cooldown parse(String text) {
		int space = text.indexOf(' ');
		try {
			return new Cooldown(Long.parseLong(text.substring(0, Math.max(0, space))), text.substring(space + 1));
		}
		catch (NumberFormatException ex) {
			return new Cooldown(0, text);
		}
	}

	/**
	 * Delete what lets a name cool down, unless it is of a later holder.
	 * @param requests the session's requests
	 * @param container the container of the name
	 * @param owner the token of the holder
	 */
	static void end(SessionRequests requests, String container, String owner) {
		String path = container + "/" + LockPaths.COOLDOWN;
		requests.read(path, false, (code, content) -> {
			if (content != null && parse(content.text()).owner().equals(owner)) {
				delete(requests, container);
			}
		});
	}

	/**
	 * Delete what lets a name cool down.
	 * @param requests the session's requests
	 * @param container the container of the name
	 */
	static void delete(SessionRequests requests, String container) {
		requests.delete(container + "/" + LockPaths.COOLDOWN, Reply.ignored());
		requests.delete(LockPaths.cooldownIndex(container), Reply.ignored());
	}

	/**
	 * Note that a name is about to cool down, so that another instance finds the node if
	 * this one does not live to delete it.
	 * @param requests the session's requests
	 * @param container the container of the name
	 */
	static void index(SessionRequests requests, String container) {
		String path = LockPaths.cooldownIndex(container);
		requests.create(path, SessionRequests.NOTHING, CreateMode.PERSISTENT, (code, created) -> {
			if (code == Code.NONODE) {
				requests.create(LockPaths.parent(path), SessionRequests.NOTHING, CreateMode.CONTAINER, Reply.ignored());
				requests.create(path, SessionRequests.NOTHING, CreateMode.PERSISTENT, Reply.ignored());
			}
		});
	}

	/**
	 * Return how long the name goes on cooling down.
	 * @param ageMillis the age of the node by the servers' clock, negative if that was
	 * set back
	 * @param knownMillis for how long this process has known of the node
	 * @return the time left, zero or less if it is over
	 */
	long remainingMillis(long ageMillis, long knownMillis) {
		return this.millis - Math.max(knownMillis, ageMillis);
	}

	/**
	 * Since when this process knows of cool-downs. Their age by the servers' clocks is
	 * wrong as soon as one of these is set: a clock that is set back would make what has
	 * just ended last for as long as it was set back.
	 */
	static final class Sightings {

		/** From so many on, those are forgotten that have ended. */
		private static final int MANY = 1_000;

		private final Map<String, Sighting> byPath = new ConcurrentHashMap<>();

		private final LongSupplier nanoTime;

		Sightings(LongSupplier nanoTime) {
			this.nanoTime = nanoTime;
		}

		/**
		 * Return for how long at least a node has existed.
		 * @param path the node
		 * @param zxid the transaction that created it
		 * @param lastsMillis how long it matters
		 * @return the time since it was first seen
		 */
		long ageMillis(String path, long zxid, long lastsMillis) {
			long now = this.nanoTime.getAsLong();
			Sighting sighting = this.byPath.compute(path, (key, known) -> (known != null && known.zxid() == zxid)
					? known : new Sighting(zxid, now, now + lastsMillis * 1_000_000));
			if (this.byPath.size() > MANY) {
				this.byPath.values().removeIf((each) -> now - each.endNanos() > 0);
			}
			return (now - sighting.seenNanos()) / 1_000_000;
		}

		void forget(String path) {
			this.byPath.remove(path);
		}

		private record Sighting(long zxid, long seenNanos, long endNanos) {
		}

	}

}
