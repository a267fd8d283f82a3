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
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

import io.quorlock.LockMode;
import io.quorlock.actuate.LocksDescriptor.CountsDescriptor;
import io.quorlock.actuate.LocksDescriptor.FencedName;
import io.quorlock.actuate.LocksDescriptor.GroupDescriptor;
import io.quorlock.actuate.LocksDescriptor.HeldLockDescriptor;
import io.quorlock.actuate.LocksDescriptor.NodeDescriptor;
import io.quorlock.actuate.LocksDescriptor.RetainedLeaseDescriptor;
import io.quorlock.actuate.LocksDescriptor.WaitingDescriptor;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.inspect.LockHold;
import io.quorlock.engine.inspect.LockListing;
import io.quorlock.engine.inspect.LockWait;
import io.quorlock.engine.inspect.RetainedLease;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

/**
 * Creates descriptions of locks and nodes. Names are sanitized, since a key may be
 * personal data: only the part before the first colon is always shown.
 *
 * @since 0.1.0
 */
public class LockDescriptors {

	/**
	 * The key under which a {@link SanitizingFunction} sees the name of a lock.
	 */
	public static final String NAME_KEY = "distributed-lock.name";

	private static final int LIMIT = 1_000;

	private final NodeStatistics statistics;

	private final Sanitizer sanitizer;

	private final Show showValues;

	private final Set<String> roles;

	/**
	 * Create the descriptors.
	 * @param statistics of the nodes
	 * @param sanitizingFunctions sanitize names
	 * @param showValues when names are shown
	 * @param roles one of which authorizes
	 */
	public LockDescriptors(NodeStatistics statistics, Iterable<SanitizingFunction> sanitizingFunctions, Show showValues,
			Collection<String> roles) {
		this.statistics = statistics;
		this.sanitizer = new Sanitizer(sanitizingFunctions);
		this.showValues = showValues;
		this.roles = Set.copyOf(roles);
	}

	LocksDescriptor describe(LockInspector inspector, SecurityContext securityContext, @Nullable String prefix) {
		boolean show = this.showValues.isShown(securityContext, this.roles);
		BiFunction<String, List<String>, @Nullable String> label = label((prefix != null) ? prefix : "", show);
		LockListing<LockHold> held = inspector.held(LIMIT, label);
		LockListing<RetainedLease> retained = inspector.retained(LIMIT, label);
		LockListing<LockWait> waiting = inspector.waiting(LIMIT, label);
		StoreStatus status = inspector.status();
		return new LocksDescriptor(inspector.instanceId(),
				new CountsDescriptor(held.total(), retained.total(), waiting.total()),
				held.entries().stream().map((hold) -> describe(hold, show)).toList(),
				retained.entries().isEmpty() ? null
						: retained.entries().stream().map((lease) -> describe(lease, show)).toList(),
				waiting.entries().stream().map((wait) -> describe(wait, show)).toList(), status.required(),
				status.nodes().stream().map(this::describe).toList(), groups(status));
	}

	/** What is shown is filtered and sorted by, so that neither reveals anything else. */
	private BiFunction<String, List<String>, @Nullable String> label(String prefix, boolean show) {
		return (baseName, names) -> {
			String shown = sanitize(names.get(0), show);
			boolean matches = baseName(baseName, show).startsWith(prefix)
					|| names.stream().anyMatch((name) -> sanitize(name, show).startsWith(prefix));
			return matches ? shown : null;
		};
	}

	private RetainedLeaseDescriptor describe(RetainedLease lease, boolean show) {
		return new RetainedLeaseDescriptor(sanitize(lease.name(), show), baseName(lease.baseName(), show),
				lease.owner(), millis(lease.remaining()), lease.nodes());
	}

	private static @Nullable List<GroupDescriptor> groups(StoreStatus status) {
		List<GroupDescriptor> groups = new ArrayList<>();
		status.groups()
			.forEach((id, group) -> groups.add(new GroupDescriptor(id, group.available(), group.required(),
					group.nodes().stream().map(NodeState::name).toList())));
		return groups.isEmpty() ? null : groups;
	}

	private HeldLockDescriptor describe(LockHold hold, boolean show) {
		List<FencedName> locks = hold.names()
			.stream()
			.map((name) -> new FencedName(sanitize(name, show), hold.fencingTokens().get(name)))
			.toList();
		return new HeldLockDescriptor(locks, baseName(hold.baseName(), show), hold.owner(), millis(hold.remaining()),
				hold.nodes(), hold.thread(), millis(hold.heldFor()), mode(hold.mode(), hold.permit()),
				(hold.permit() > 0) ? hold.permit() : null, (hold.permits() > 0) ? hold.permits() : null,
				hold.fair() ? true : null, hold.atRisk() ? true : null);
	}

	private WaitingDescriptor describe(LockWait wait, boolean show) {
		return new WaitingDescriptor(wait.names().stream().map((name) -> sanitize(name, show)).toList(),
				baseName(wait.baseName(), show), wait.thread(), millis(wait.waitedFor()), wait.attempts(),
				mode(wait.mode(), wait.permits()), (wait.permits() > 0) ? wait.permits() : null,
				wait.fair() ? true : null);
	}

	static String mode(LockMode mode, int permits) {
		return (permits > 0) ? "permit" : mode.name().toLowerCase(Locale.ROOT);
	}

	private NodeDescriptor describe(NodeState node) {
		return new NodeDescriptor(node.name(), node.state(), node.reason().isEmpty() ? null : node.reason(),
				node.votesIn().isZero() ? null : node.votesIn().plusMillis(999).toSeconds(), node.version(),
				node.runId(), node.clockOffsetMicros(), this.statistics.latency(node.name()),
				this.statistics.lastError(node.name()));
	}

	/**
	 * A name that was given as one string contains the key after the first colon, as
	 * {@code LockRequest} joins the two.
	 */
	private String baseName(String baseName, boolean show) {
		int colon = baseName.indexOf(':');
		boolean shown = colon < 0 || (show && sanitize(baseName, true).equals(baseName));
		return shown ? baseName : baseName.substring(0, colon + 1) + SanitizableData.SANITIZED_VALUE;
	}

	private String sanitize(String name, boolean show) {
		return String.valueOf(this.sanitizer.sanitize(new SanitizableData(null, NAME_KEY, name), show));
	}

	private static Duration millis(Duration duration) {
		return duration.truncatedTo(ChronoUnit.MILLIS);
	}

}
