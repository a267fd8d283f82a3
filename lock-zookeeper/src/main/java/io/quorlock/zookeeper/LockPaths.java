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
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the nodes of a root are. Names are encoded as little as ZooKeeper allows, so that
 * a lock stands where a Curator recipe with the same path looks for it. No encoded name
 * begins with {@code %} and a character that is no hexadecimal digit: such nodes are the
 * store's own.
 */
record LockPaths(String root) {

	/** Shown beside the claims of a name while it cools down (R18). */
	static final String COOLDOWN = "cooldown";

	private static final String COOLDOWNS = "/%cooldowns";

	private static final HexFormat HEX = HexFormat.of().withPrefix("%").withUpperCase();

	LockPaths {
		root = "/".equals(root) ? "" : root;
	}

	/** The persistent nodes that must exist before anything else. */
	List<String> rootAndParents() {
		return this.root.isEmpty() ? List.of() : withParents(List.of(this.root), 1);
	}

	/** The container of the nodes that sessions write their heartbeats to. */
	String sessions() {
		return this.root + "/%sessions";
	}

	/** The node with the number that all fencing tokens are counted from. */
	String tokenBase() {
		return this.root + "/%token-base";
	}

	/** The container of the nodes that say which names cool down. */
	String cooldowns() {
		return this.root + COOLDOWNS;
	}

	/** The container of a name that {@link #cooldowns()} contains. */
	String coolingContainer(String index) {
		return this.root + "/" + index;
	}

	/** The node that says that the name of a container cools down. */
	static String cooldownIndex(String container) {
		String parent = parent(container);
		return parent + COOLDOWNS + container.substring(parent.length());
	}

	/** The container of the claims for a name. */
	String container(String name) {
		return this.root + "/" + encode(name);
	}

	/** Where claims for one of several permits wait for their turn, as in Curator. */
	String permitTurns(String name) {
		return container(name) + "/locks";
	}

	/** Where the permits of a name are that are held, as in Curator. */
	String permits(String name) {
		return container(name) + "/leases";
	}

	/** Containers below the root, and those that they are in, the outermost first. */
	List<String> withParents(List<String> containers) {
		return withParents(containers, this.root.length() + 1);
	}

	private static List<String> withParents(List<String> paths, int from) {
		Set<String> all = new LinkedHashSet<>();
		for (String path : paths) {
			for (int slash = path.indexOf('/', from); slash > 0; slash = path.indexOf('/', slash + 1)) {
				all.add(path.substring(0, slash));
			}
			all.add(path);
		}
		return List.copyOf(all);
	}

	static String parent(String path) {
		return path.substring(0, path.lastIndexOf('/'));
	}

	static String encode(String name) {
		if (name.equals(".") || name.equals("..")) {
			return name.replace(".", "%2E");
		}
		return name.codePoints().allMatch(LockPaths::isPlain) ? name
				: name.codePoints().mapToObj(LockPaths::encode).collect(Collectors.joining());
	}

	private static String encode(int codePoint) {
		String character = Character.toString(codePoint);
		return isPlain(codePoint) ? character : HEX.formatHex(character.getBytes(StandardCharsets.UTF_8));
	}

	/** Whether ZooKeeper allows the character in a path, and we have no use for it. */
	private static boolean isPlain(int codePoint) {
		return codePoint != '/' && codePoint != '%' && codePoint > 0x1F && !(codePoint >= 0x7F && codePoint <= 0x9F)
				&& !(codePoint >= 0xD800 && codePoint <= 0xF8FF) && codePoint < 0xFFF0;
	}

}
