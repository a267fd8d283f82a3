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

package io.quorlock.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

import io.quorlock.engine.LockInspector;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

/**
 * Exposes which backend keeps the locks, on which nodes, and the size of the quorum, for
 * each group if there are several.
 *
 * @since 0.1.0
 */
public class LockInfoContributor implements InfoContributor {

	private final String backend;

	private final LockInspector inspector;

	/**
	 * Create the contributor.
	 * @param backend the name of the backend
	 * @param inspector provides the state of the engine
	 */
	public LockInfoContributor(String backend, LockInspector inspector) {
		this.backend = backend;
		this.inspector = inspector;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> details = new LinkedHashMap<>();
		StoreStatus status = this.inspector.status();
		details.put("backend", this.backend);
		details.put("instance", this.inspector.instanceId());
		if (status.groups().isEmpty()) {
			details.putAll(describe(status));
		}
		else {
			Map<String, Object> groups = new LinkedHashMap<>();
			status.groups().forEach((id, group) -> groups.put(id, describe(group)));
			details.put("groups", groups);
		}
		builder.withDetail("distributedLock", details);
	}

	private static Map<String, Object> describe(StoreStatus status) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("nodes", status.nodes().stream().map(NodeState::name).toList());
		details.put("quorum", status.required());
		return details;
	}

}
