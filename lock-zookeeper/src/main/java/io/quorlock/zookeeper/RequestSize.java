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
import java.util.List;

import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * How large a request is, as far as that can be told before it is written. Servers close
 * the connection behind one that is larger than {@code jute.maxbuffer}, without a reply.
 */
final class RequestSize {

	/** The default of servers and clients: a little less than a megabyte. */
	private static final int DEFAULT_LIMIT = 0xfffff;

	static final String LIMIT = "jute.maxbuffer";

	/** More than one name of the greatest length takes. */
	private static final int MOST_PER_NAME = 8_000;

	/** Of one name: two headers, lengths, flags, and what is added to its path. */
	private static final int PER_NAME = 200;

	private RequestSize() {
	}

	/**
	 * Estimate the request that creates nodes in queues.
	 * @param settings the settings
	 * @param containers where the queues are
	 * @return the size in bytes, hardly less than it is
	 */
	static int enqueue(ZooKeeperSettings settings, List<String> containers) {
		String connectString = settings.connectString();
		int slash = connectString.indexOf('/');
		int chroot = (slash >= 0) ? connectString.length() - slash : 0;
		int acl = 0;
		for (ACL entry : settings.acl()) {
			acl += 12 + bytes(entry.getId().getScheme()) + bytes(entry.getId().getId());
		}
		int perName = PER_NAME + 2 * chroot + acl + bytes(settings.instanceId());
		int size = 0;
		for (String container : containers) {
			size += perName + 2 * bytes(container);
		}
		return size;
	}

	/** Whether so many names fit into a request, whatever they are. */
	static boolean surelyFits(int names, int limit) {
		return (long) names * MOST_PER_NAME < limit;
	}

	/**
	 * Return the size from which on servers refuse requests, unless they have another
	 * one.
	 * @param own what the client is configured with, if it is
	 * @return the size in bytes
	 */
	static int limit(@Nullable String own) {
		try {
			return (own != null) ? Integer.decode(own.strip()) : Integer.getInteger(LIMIT, DEFAULT_LIMIT);
		}
		catch (NumberFormatException ex) {
			return DEFAULT_LIMIT;
		}
	}

	private static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

}
