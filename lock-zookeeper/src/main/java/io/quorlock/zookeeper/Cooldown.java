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

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

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
		requests.delete(container + "/" + LockPaths.COOLDOWN, (code, deleted) -> {
		});
		requests.delete(LockPaths.cooldownIndex(container), (code, deleted) -> {
		});
	}

	/**
	 * Note that a name is about to cool down, so that another instance finds the node if
	 * this one does not live to delete it.
	 * @param requests the session's requests
	 * @param container the container of the name
	 */
	static void index(SessionRequests requests, String container) {
		String path = LockPaths.cooldownIndex(container);
		SessionRequests.Reply<Stat> ignored = (code, created) -> {
		};
		requests.create(path, new byte[0], CreateMode.PERSISTENT, (code, created) -> {
			if (code == Code.NONODE) {
				requests.create(path.substring(0, path.lastIndexOf('/')), new byte[0], CreateMode.CONTAINER, ignored);
				requests.create(path, new byte[0], CreateMode.PERSISTENT, ignored);
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

}
