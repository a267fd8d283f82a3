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

package io.quorlock.autoconfigure;

import java.util.Map;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

import io.quorlock.engine.LockInspector;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

/**
 * Logs once at startup where locks are kept, and with which settings.
 */
record LockStartupReport(LockProperties properties, LockBackend backend,
		LockInspector inspector) implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(LockStartupReport.class);

	@Override
	public void afterSingletonsInstantiated() {
		if (!this.properties.enabled()) {
			logger.warn("Locks are disabled (distributed-lock.enabled=false): they are kept in the memory of this"
					+ " process and exclude no other instance. Remove the property where several instances run.");
			return;
		}
		logger.info("Distributed locks: backend %s, %s, lease %s, fencing %s%s".formatted(this.backend.name(),
				servers(), DurationFormatterUtils.print(this.properties.leaseTime(), DurationFormat.Style.COMPOSITE),
				this.properties.fencing().enabled() ? "on" : "off",
				this.backend.local() ? "; other instances do not see these locks" : ""));
	}

	private String servers() {
		Map<String, StoreStatus> groups = this.inspector.status().groups();
		if (!groups.isEmpty()) {
			return groups.entrySet()
				.stream()
				.map((group) -> "group %s %s, quorum %d of %d".formatted(group.getKey(),
						group.getValue().nodes().stream().map(NodeState::name).toList(), group.getValue().required(),
						group.getValue().nodes().size()))
				.collect(Collectors.joining(", "));
		}
		if (this.backend.store() != null) {
			return "servers " + this.inspector.status().nodes().stream().map(NodeState::name).toList();
		}
		int nodes = this.backend.nodes().size();
		return "nodes %s, quorum %d of %d".formatted(this.backend.nodes().stream().map(LockNode::name).toList(),
				nodes / 2 + 1, nodes);
	}

}
