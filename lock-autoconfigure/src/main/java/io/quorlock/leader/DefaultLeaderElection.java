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

package io.quorlock.leader;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.util.Assert;

import io.quorlock.Api;
import io.quorlock.LockHandle;
import io.quorlock.LockTemplate;

/**
 * {@link LeaderElection} that uses a lock for each role. The instance that holds the lock
 * leads the role.
 *
 * @since 0.1.0
 */
@Api(Api.Status.INTERNAL)
public class DefaultLeaderElection implements LeaderElection {

	private static final Log logger = LogFactory.getLog(DefaultLeaderElection.class);

	private static final long STOP_SECONDS = 10;

	private final Set<String> roles;

	private final String instanceId;

	private final LockTemplate template;

	private final ApplicationEventPublisher publisher;

	private final LongSupplier nanoTime;

	/** Empty while stopped. */
	private volatile Map<String, Candidate> candidates = Map.of();

	/**
	 * Create a new election.
	 * @param roles the roles to compete for
	 * @param instanceId the readable owner of this instance's locks
	 * @param template takes the locks
	 * @param publisher publishes {@link LeadershipGrantedEvent},
	 * {@link LeadershipAtRiskEvent} and {@link LeadershipRevokedEvent}
	 */
	public DefaultLeaderElection(Collection<String> roles, String instanceId, LockTemplate template,
			ApplicationEventPublisher publisher) {
		this(roles, instanceId, template, publisher, System::nanoTime);
	}

	DefaultLeaderElection(Collection<String> roles, String instanceId, LockTemplate template,
			ApplicationEventPublisher publisher, LongSupplier nanoTime) {
		roles.forEach((role) -> Assert.hasText(role, "Role to lead must not be empty"));
		this.roles = Set.copyOf(roles);
		this.instanceId = instanceId;
		this.template = template;
		this.publisher = publisher;
		this.nanoTime = nanoTime;
	}

	@Override
	public Set<String> roles() {
		return this.roles;
	}

	@Override
	public boolean isLeader(String role) {
		return candidate(role).map(Candidate::isLeader).orElse(false);
	}

	@Override
	public Optional<String> currentLeader(String role) {
		return candidate(role).flatMap(Candidate::knownLeader);
	}

	@Override
	public Optional<LockHandle> enter(String role) {
		return candidate(role).flatMap(Candidate::enter);
	}

	@Override
	public void resign(String role) {
		candidate(role).ifPresent(Candidate::resign);
	}

	/** Return the candidate for a role, empty while stopped. */
	private Optional<Candidate> candidate(String role) {
		if (!this.roles.contains(role)) {
			throw new IllegalArgumentException(
					"Role '%s' is not one of distributed-lock.leader.roles: %s".formatted(role, this.roles));
		}
		return Optional.ofNullable(this.candidates.get(role));
	}

	@Override
	public synchronized void start() {
		if (this.candidates.isEmpty()) {
			Map<String, Candidate> started = new LinkedHashMap<>();
			this.roles.forEach((role) -> started.put(role,
					new Candidate(role, this.instanceId, this.template, this.publisher, this.nanoTime)));
			this.candidates = started;
			started.values().forEach(Candidate::start);
		}
	}

	/**
	 * Return whether this instance competes for its roles.
	 * @return {@code false} before the first start, and once it was stopped
	 */
	public boolean isStarted() {
		return !this.candidates.isEmpty();
	}

	@Override
	public void stop() {
		// In parallel, so that a slow listener of one role does not delay the others.
		await(CompletableFuture
			.allOf(takeCandidates().stream().map(Candidate::stop).toArray(CompletableFuture<?>[]::new)));
	}

	private synchronized Collection<Candidate> takeCandidates() {
		Collection<Candidate> taken = this.candidates.values();
		this.candidates = Map.of();
		return taken;
	}

	private static void await(CompletableFuture<Void> stopped) {
		try {
			stopped.get(STOP_SECONDS, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			logger.warn("Listeners of LeadershipRevokedEvent did not return within %d s; their roles stay locked "
				.formatted(STOP_SECONDS) + "until they do, or until the lock engine stops. Let them return sooner");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			logger.error(
					"Leader election failed to stop, its roles are free once their leases end; report it with what follows",
					ex);
		}
	}

}
