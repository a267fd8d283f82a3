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

package io.quorlock.system;

import java.util.List;
import java.util.stream.Collectors;

import io.quorlock.system.ChaosHistory.Outcome;
import io.quorlock.system.ChaosHistory.Phase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a chaos run found.
 *
 * @param history what the clients saw
 * @param phases in their order
 * @param resource what the locks protected
 * @param leftAtOnce keys or nodes of locks on the servers when the last client had ended
 * @param left what there is of them when nothing may be left, each described
 */
record ChaosReport(ChaosHistory history, List<Phase> phases, FencedResource resource, int leftAtOnce,
		List<String> left) {

	/** What must hold however short the run. */
	void checkSafety() {
		assertThat(this.history.overlaps()).as("overlaps").isEmpty();
		assertThat(this.history.tokensThatDoNotIncrease()).as("tokens that do not increase").isEmpty();
		assertThat(this.resource.staleAccepted()).as("stale writes accepted").isZero();
		assertThat(this.left).as("left").isEmpty();
		assertThat(this.history.maxPermits()).as("permits at once").isLessThanOrEqualTo(ChaosClient.PERMITS);
	}

	void check() {
		checkSafety();
		List.of(Outcome.WRITER, Outcome.READER, Outcome.PERMIT, Outcome.DOWNGRADED)
			.forEach((kind) -> assertThat(this.history.count(kind)).as(kind.name()).isPositive());
		this.phases.stream()
			.map(Phase::name)
			.distinct()
			.filter((name) -> !name.startsWith("majority") && !name.startsWith("all "))
			.forEach((name) -> assertThat(during(name).grants()).as("grants: " + name).isPositive());
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder("""

				Chaos, %.0f s: %d requests, %d grants, %d writes
				%8d writers, %d readers, %d permits, %d downgrades
				%8d overlaps of holders (must be 0)
				%8d permits of one name at once (at most %d)
				%8d tokens that do not increase (must be 0)
				%8d stale writes accepted (must be 0)
				%8d stale writes refused
				%8d left at once
				%8d left in the end (must be 0)
				%s
				%-36s %8s %8s %9s %11s %9s %8s %8s
				""".formatted(seconds(), this.history.visits().size(), this.history.grants(), this.resource.accepted(),
				this.history.count(Outcome.WRITER), this.history.count(Outcome.READER),
				this.history.count(Outcome.PERMIT), this.history.count(Outcome.DOWNGRADED),
				this.history.overlaps().size(), this.history.maxPermits(), ChaosClient.PERMITS,
				this.history.tokensThatDoNotIncrease().size(), this.resource.staleAccepted(), this.resource.refused(),
				this.leftAtOnce, this.left.size(),
				this.left.stream().map((one) -> "         " + one + "\n").collect(Collectors.joining()), "phase",
				"seconds", "granted", "contended", "unavailable", "available", "p50 ms", "p99 ms"));
		this.phases.stream().map(Phase::name).distinct().forEach((name) -> text.append(line(name)));
		return text.toString();
	}

	/** A request that another's lock made wait in vain ended all the same. */
	private String line(String phase) {
		ChaosHistory history = during(phase);
		long unavailable = history.count(Outcome.UNAVAILABLE);
		double available = 100 - 100.0 * unavailable / history.visits().size();
		double seconds = named(phase).stream().mapToLong((one) -> one.to() - one.from()).sum() / 1e9;
		return "%-36s %8.0f %8d %9d %11d %8.1f%% %8.1f %8.1f%n".formatted(phase, seconds, history.grants(),
				history.count(Outcome.CONTENDED), unavailable, available, history.percentile(0.5),
				history.percentile(0.99));
	}

	private double seconds() {
		return (this.phases.get(this.phases.size() - 1).to() - this.phases.get(0).from()) / 1e9;
	}

	ChaosHistory during(String name) {
		return this.history.during(named(name));
	}

	private List<Phase> named(String name) {
		return this.phases.stream().filter((phase) -> phase.name().equals(name)).toList();
	}

}
