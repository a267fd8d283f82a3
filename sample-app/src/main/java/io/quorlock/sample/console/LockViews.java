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

package io.quorlock.sample.console;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.engine.inspect.LockHold;
import io.quorlock.engine.inspect.LockWait;
import io.quorlock.sample.console.LockReports.Reports;
import io.quorlock.sample.console.LockView.Holder;
import io.quorlock.store.NodeReport;

/**
 * Assembles what is known of a name: from the instances, its holders and waiters; from
 * the nodes, the order of the waiters.
 */
final class LockViews {

	private LockViews() {
	}

	/**
	 * Return what is known of a name.
	 * @param name the name
	 * @param place where it lives
	 * @param fleet what each instance holds and waits for
	 * @param reports what the nodes report of the name
	 */
	static LockView of(String name, Place place, Collection<Snapshot> fleet, Reports reports) {
		List<LockHold> holds = fleet.stream().flatMap((instance) -> instance.holdsOf(name)).toList();
		List<LockQueue.Request> requests = fleet.stream().flatMap((instance) -> instance.requestsFor(name)).toList();
		List<LockWait> waits = requests.stream().map(LockQueue.Request::waiting).toList();
		int permits = Stream.concat(holds.stream().map(LockHold::permits), waits.stream().map(LockWait::permits))
			.reduce(0, Math::max);
		boolean shared = Stream.concat(holds.stream().map(LockHold::mode), waits.stream().map(LockWait::mode))
			.anyMatch((mode) -> mode == LockMode.SHARED);
		boolean fair = Stream.concat(holds.stream().map(LockHold::fair), waits.stream().map(LockWait::fair))
			.anyMatch(Boolean::booleanValue);
		List<NodeReport.Waiter> tickets = reports.tickets();
		return new LockView(name, (permits > 0) ? "permits" : shared ? "shared" : "exclusive", permits, fair,
				place.group(), place.available(), holders(name, fleet),
				LockQueue.of(requests, tickets, reports.age(), fair || shared || !tickets.isEmpty()),
				holds.isEmpty() ? elsewhere(place, fleet, reports) : null);
	}

	private static List<Holder> holders(String name, Collection<Snapshot> fleet) {
		return fleet.stream()
			.flatMap((instance) -> instance.holdsOf(name).map((hold) -> holder(name, instance.instance(), hold)))
			.sorted(Comparator.comparingInt(Holder::permit)
				.thenComparing(Comparator.comparingDouble(Holder::held).reversed()))
			.toList();
	}

	private static Holder holder(String name, String instance, LockHold hold) {
		Long token = hold.fencingTokens().get(name);
		return new Holder(instance, hold.thread(), mode(hold.mode()), hold.permit(),
				(token != null) ? token.toString() : null, millis(hold.heldFor()), millis(hold.remaining()),
				hold.nodes().size());
	}

	/** An owner that a majority reports, and that no instance of the fleet can be. */
	private static @Nullable String elsewhere(Place place, Collection<Snapshot> fleet, Reports reports) {
		Map<String, Integer> owners = new HashMap<>();
		for (NodeReport report : reports.nodes()) {
			if (report.voting()) {
				report.holders()
					.stream()
					.map(NodeReport.Holder::owner)
					.filter(Objects::nonNull)
					.filter((owner) -> fleet.stream().noneMatch((instance) -> instance.owns(owner)))
					.forEach((owner) -> owners.merge(owner, 1, Integer::sum));
			}
		}
		return owners.entrySet()
			.stream()
			.filter((owner) -> owner.getValue() >= place.required())
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(null);
	}

	static String mode(LockMode mode) {
		return mode.name().toLowerCase(Locale.ROOT);
	}

	static double millis(Duration duration) {
		return duration.toNanos() / 1e6;
	}

	/**
	 * Where a name lives.
	 *
	 * @param group the group, {@code null} without groups
	 * @param available whether a quorum votes there
	 * @param required how many nodes make up the quorum
	 */
	record Place(@Nullable String group, boolean available, int required) {

	}

	/**
	 * An instance at one moment.
	 *
	 * @param instance its id
	 * @param held what it holds
	 * @param waiting what it waits for
	 */
	record Snapshot(String instance, List<LockHold> held, List<LockWait> waiting) {

		Stream<LockHold> holdsOf(String name) {
			return this.held.stream().filter((hold) -> hold.names().contains(name));
		}

		Stream<LockQueue.Request> requestsFor(String name) {
			return this.waiting.stream()
				.filter((wait) -> wait.names().contains(name))
				.map((wait) -> new LockQueue.Request(this.instance, wait));
		}

		boolean owns(String owner) {
			return owner.startsWith(this.instance + ":");
		}

	}

}
