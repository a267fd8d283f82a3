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

package io.quorlock.groups;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Which group a name belongs to: rendezvous hashing over the ids of the groups. Of all
 * groups, the one has the name whose weight is the greatest: the first 8 bytes, as an
 * unsigned number, of SHA-256 over the id, a zero byte and what is hashed of the name. A
 * new group takes its share of the names from all others, which keep the rest.
 *
 * @since 0.1.0
 */
public final class Sharding {

	private final List<String> ids;

	private final By by;

	/**
	 * Create the sharding of a layout.
	 * @param ids the ids of all groups
	 * @param by what is hashed of a name
	 */
	public Sharding(Collection<String> ids, By by) {
		this.ids = List.copyOf(new TreeSet<>(ids));
		this.by = by;
		if (this.ids.isEmpty()) {
			throw new IllegalArgumentException("Names need at least one group");
		}
	}

	/**
	 * Return the group that a name belongs to.
	 * @param name the full name of the lock
	 * @return the id of the group
	 */
	public String groupOf(String name) {
		String hashed = hashed(name);
		String best = this.ids.get(0);
		long bestWeight = weight(best, hashed);
		for (String id : this.ids.subList(1, this.ids.size())) {
			long weight = weight(id, hashed);
			if (Long.compareUnsigned(weight, bestWeight) > 0) {
				best = id;
				bestWeight = weight;
			}
		}
		return best;
	}

	private String hashed(String name) {
		int colon = name.indexOf(':');
		return (this.by == By.PREFIX && colon >= 0) ? name.substring(0, colon) : name;
	}

	/**
	 * Return the weight of a group for a text.
	 * @param id the id of the group
	 * @param text what is hashed of a name
	 * @return the weight, an unsigned number
	 */
	static long weight(String id, String text) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			digest.update(id.getBytes(StandardCharsets.UTF_8));
			digest.update((byte) 0);
			digest.update(text.getBytes(StandardCharsets.UTF_8));
			return ByteBuffer.wrap(digest.digest()).getLong();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Describe the layout as one of its groups records it, so that instances with another
	 * layout are noticed.
	 * @param id the id of the group
	 * @return the text, the same for every order of the groups
	 */
	public String layoutOf(String id) {
		return "group " + id + " of " + String.join(",", this.ids) + " by " + this.by.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * What is hashed of a name.
	 */
	public enum By {

		/**
		 * The whole name.
		 */
		NAME,

		/**
		 * What stands before the first colon, so that the keys of one name stay together;
		 * the whole name if it has none.
		 */
		PREFIX

	}

}
