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

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.quorlock.LockMode;
import io.quorlock.store.NodeReport;

/**
 * What the nodes report of one name.
 *
 * @param name the lock
 * @param state {@code held}, {@code free}, {@code divided} (no majority agrees: it is
 * being acquired or released, or was left behind) or {@code unavailable} (no majority of
 * voting nodes replied)
 * @param owner the owner that holds it on a majority of the nodes, absent while it cools
 * down after its release
 * @param nodes the report of each node
 * @since 0.1.0
 */
public record LockDescriptor(String name, String state, @Nullable String owner,
		List<ReportDescriptor> nodes) implements OperationResponseBody {

	/**
	 * Draw the conclusion from the reports of all nodes.
	 * @param name the lock
	 * @param reports the reports
	 * @param majority how many nodes have to agree
	 * @return the description
	 */
	static LockDescriptor of(String name, List<NodeReport> reports, int majority) {
		List<ReportDescriptor> nodes = reports.stream().map(ReportDescriptor::of).toList();
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
					return new LockDescriptor(name, "held", owner, nodes);
				}
			}
		}
		if (free >= majority) {
			return new LockDescriptor(name, "free", null, nodes);
		}
		if (coolingDown >= majority) {
			return new LockDescriptor(name, "held", null, nodes);
		}
		return new LockDescriptor(name, (replied >= majority) ? "divided" : "unavailable", null, nodes);
	}

	/**
	 * Return whether a majority of the nodes reported.
	 */
	static boolean isReported(List<NodeReport> reports, int majority) {
		return reports.stream().filter((report) -> report.error() == null).count() >= majority;
	}

	/**
	 * The report of one node.
	 *
	 * @param name the node's address
	 * @param voting whether the node votes
	 * @param owner the value of the key there, absent if there is none
	 * @param remaining how long the key lives
	 * @param holders all readers or all permits there, or the cool-down; absent for an
	 * exclusive lock that has an owner
	 * @param fenceReservedUpTo the greatest fencing token that is reserved there. The
	 * holder has one of the last tokens up to it, since a grant reserves several: the
	 * threads of an instance hand the lock to each other
	 * @param queue the claims that wait for the name there, next first; absent if there
	 * are none, or nothing is known of them
	 * @param error why there is no reply
	 */
	public record ReportDescriptor(String name, boolean voting, @Nullable String owner, @Nullable Duration remaining,
			@Nullable List<HolderDescriptor> holders, @Nullable Long fenceReservedUpTo,
			@Nullable List<WaiterDescriptor> queue, @Nullable String error) {

		static ReportDescriptor of(NodeReport report) {
			return new ReportDescriptor(report.node(), report.voting(), report.owner(),
					report.holders().isEmpty() ? null : report.remaining(), HolderDescriptor.of(report.holders()),
					(report.fence() != 0) ? report.fence() : null, WaiterDescriptor.of(report.waiters()),
					report.error());
		}

	}

	/**
	 * A reader, or the holder of a permit.
	 *
	 * @param owner the value of the key, absent while the name cools down
	 * @param mode {@code shared} or {@code permit}, or {@code exclusive} for a cool-down
	 * @param permit the number of the permit, absent for a reader
	 * @param remaining how long its lease lasts
	 */
	public record HolderDescriptor(@Nullable String owner, String mode, @Nullable Integer permit, Duration remaining) {

		static @Nullable List<HolderDescriptor> of(List<NodeReport.Holder> holders) {
			boolean told = holders.stream()
				.allMatch((holder) -> holder.mode() == LockMode.EXCLUSIVE && holder.permit() == 0
						&& holder.owner() != null);
			return told ? null : holders.stream().map(HolderDescriptor::of).toList();
		}

		private static HolderDescriptor of(NodeReport.Holder holder) {
			return new HolderDescriptor(holder.owner(), LockDescriptors.mode(holder.mode(), holder.permit()),
					(holder.permit() > 0) ? holder.permit() : null, holder.remaining().truncatedTo(ChronoUnit.MILLIS));
		}

	}

	/**
	 * A claim that waits for the name.
	 *
	 * @param position its place in the queue of the node, from 1
	 * @param owner identifies the claim; begins with the instance id
	 * @param mode {@code exclusive} or {@code shared}
	 * @param waitedFor how long it has waited
	 */
	public record WaiterDescriptor(int position, String owner, String mode, Duration waitedFor) {

		static @Nullable List<WaiterDescriptor> of(List<NodeReport.Waiter> waiters) {
			List<WaiterDescriptor> queue = new ArrayList<>();
			waiters.forEach((waiter) -> queue.add(new WaiterDescriptor(queue.size() + 1, waiter.owner(),
					waiter.mode().name().toLowerCase(Locale.ROOT), waiter.waiting().truncatedTo(ChronoUnit.MILLIS))));
			return queue.isEmpty() ? null : queue;
		}

	}

}
