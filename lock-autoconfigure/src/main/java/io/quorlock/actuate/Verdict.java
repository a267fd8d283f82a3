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

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.quorlock.store.NodeReport;

/**
 * The conclusion from the reports of all nodes.
 *
 * @param state as in {@link LockDescriptor#state()}
 * @param owner the owner of the lock on a majority, or {@code null}; also while it cools
 * down
 */
record Verdict(String state, @Nullable String owner) {

	/**
	 * Return whether a majority of the nodes reported.
	 */
	static boolean isReported(List<NodeReport> reports, int majority) {
		return reports.stream().filter((report) -> report.error() == null).count() >= majority;
	}

	static Verdict of(List<NodeReport> reports, int majority) {
		Map<String, Integer> owners = new HashMap<>();
		int replied = 0;
		int free = 0;
		int coolingDown = 0;
		for (NodeReport report : reports) {
			if (report.error() != null || !report.voting()) {
				continue;
			}
			replied++;
			if (report.holders().isEmpty()) {
				free++;
			}
			else if (report.holders().stream().allMatch((holder) -> holder.owner() == null)) {
				coolingDown++;
			}
			for (NodeReport.Holder holder : report.holders()) {
				String owner = holder.owner();
				if (owner != null && owners.merge(owner, 1, Integer::sum) >= majority) {
					return new Verdict("held", owner);
				}
			}
		}
		if (free >= majority) {
			return new Verdict("free", null);
		}
		if (coolingDown >= majority) {
			return new Verdict("held", null);
		}
		return new Verdict((replied >= majority) ? "divided" : "unavailable", null);
	}

}
