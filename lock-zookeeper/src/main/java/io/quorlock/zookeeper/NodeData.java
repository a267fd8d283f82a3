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
 * What stands in the node of a claim. Curator writes the address of its host there.
 *
 * @param owner the owner
 * @param number the number of a permit, or the fencing token of a writer's node that
 * became a reader's, which does not follow from the transaction that created it; 0 for
 * none
 */
record NodeData(String owner, long number) {

	static NodeData parse(String text) {
		int space = text.lastIndexOf(' ');
		try {
			return (space > 0) ? new NodeData(text.substring(0, space), Long.parseLong(text.substring(space + 1)))
					: new NodeData(text, 0);
		}
		catch (NumberFormatException ex) {
			return new NodeData(text, 0);
		}
	}

	@Override
	public String toString() {
		return (this.number > 0) ? this.owner + " " + this.number : this.owner;
	}

}
