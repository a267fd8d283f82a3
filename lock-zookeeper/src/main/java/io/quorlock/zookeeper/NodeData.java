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

/**
 * Reads what stands in the nodes of claims. Curator writes the address of its host there.
 */
final class NodeData {

	private NodeData() {
	}

	/**
	 * The data of a writer's node that became a reader's: its fencing token does not
	 * follow from the transaction that created it.
	 */
	static String withFence(String owner, long fence) {
		return owner + " " + fence;
	}

	/** The fencing token that the data names, 0 if it names none. */
	static long fenceOf(String data) {
		int space = data.lastIndexOf(' ');
		try {
			return (space > 0) ? Long.parseLong(data.substring(space + 1)) : 0;
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	static String tokenOf(String data) {
		return (fenceOf(data) > 0) ? data.substring(0, data.lastIndexOf(' ')) : data;
	}

	/** The data of a permit: the token of its holder, and the number. */
	static String withPermit(String owner, int number) {
		return owner + " " + number;
	}

	/**
	 * The number that the data of a permit names, 0 if it names none: Curator counts
	 * permits and does not number them.
	 */
	static int permitOf(String data) {
		try {
			return Integer.parseInt(data.substring(data.lastIndexOf(' ') + 1));
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	static String holderOf(String data) {
		return (permitOf(data) > 0) ? data.substring(0, data.lastIndexOf(' ')) : data;
	}

}
