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

package io.quorlock.sample.demo;

import java.util.stream.Collectors;

import io.quorlock.engine.LockInspector;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.store.NodeState;

/** The lock nodes as one instance sees them. */
record Nodes(LockInspector inspector) {

	static Nodes of(Instance instance) {
		return new Nodes(instance.inspector());
	}

	int size() {
		return this.inspector.status().nodes().size();
	}

	int voting() {
		return this.inspector.status().voting();
	}

	int quorum() {
		return this.inspector.status().required();
	}

	boolean isGrouped() {
		return !this.inspector.status().groups().isEmpty();
	}

	/** Each group has a quorum of its own. */
	String quorums() {
		return isGrouped() ? this.inspector.status()
			.groups()
			.entrySet()
			.stream()
			.map((group) -> group.getValue().required() + " in group " + group.getKey())
			.collect(Collectors.joining(", ")) : String.valueOf(quorum());
	}

	String countedOfAll() {
		return voting() + " of " + size();
	}

	String names() {
		return this.inspector.status().nodes().stream().map(NodeState::name).collect(Collectors.joining(", "));
	}

	/** Wait until so many of them vote, but not longer than the time. */
	void awaitCounted(int wanted, long timeoutMillis) throws InterruptedException {
		for (long left = timeoutMillis; voting() < wanted && left > 0; left -= 20) {
			Thread.sleep(20);
		}
	}

}
