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

import java.security.Principal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import io.quorlock.Api;
import io.quorlock.LockKeyException;
import io.quorlock.LogText;
import io.quorlock.engine.LockInspector;
import io.quorlock.store.NodeReport;

/**
 * {@link Endpoint @Endpoint} for locks: the locks that this instance holds and waits for,
 * the reports of the nodes on a lock, and the forced release, which the default access
 * does not permit.
 *
 * @since 0.1.0
 */
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
public class LocksEndpoint {

	/**
	 * The type of the audit event of a forced release.
	 */
	public static final String FORCED_RELEASE = "LOCK_FORCED_RELEASE";

	private static final boolean SERVLET = ClassUtils.isPresent(
			"org.springframework.web.context.request.ServletRequestAttributes", LocksEndpoint.class.getClassLoader())
			&& ClassUtils.isPresent("jakarta.servlet.http.HttpServletRequest", LocksEndpoint.class.getClassLoader());

	private static final Log logger = LogFactory.getLog(LocksEndpoint.class);

	private static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(10);

	private final LockInspector inspector;

	private final LockDescriptors descriptors;

	private final ApplicationEventPublisher publisher;

	private final ReentrantLock reading = new ReentrantLock(true);

	/**
	 * Create the endpoint.
	 * @param inspector provides the state of the engine
	 * @param descriptors creates the sanitized descriptions
	 * @param publisher receives the audit events
	 */
	public LocksEndpoint(LockInspector inspector, LockDescriptors descriptors, ApplicationEventPublisher publisher) {
		this.inspector = inspector;
		this.descriptors = descriptors;
		this.publisher = publisher;
	}

	/**
	 * Return the first 1,000 locks that this instance holds, by name, the first 1,000
	 * requests that wait, and its nodes.
	 * @param securityContext the security context of the request
	 * @param name what the wanted names begin with; absent for all
	 * @return the description
	 */
	@ReadOperation
	public LocksDescriptor locks(SecurityContext securityContext, @Nullable String name) {
		// Any number of readers keep one core busy, and hold one reply in memory.
		this.reading.lock();
		try {
			return this.descriptors.describe(this.inspector, securityContext, name);
		}
		finally {
			this.reading.unlock();
		}
	}

	/**
	 * Return what every node reports of a lock.
	 * @param name the lock; the parts of a name with slashes
	 * @return the description
	 */
	@ReadOperation
	public LockDescriptor lock(@Selector(match = Match.ALL_REMAINING) String... name) {
		String lock = String.join("/", name);
		return LockDescriptor.of(lock, inspect(lock, null), this.inspector.status(lock).required());
	}

	/**
	 * Ask the holders of a lock to release it. They decide.
	 * @param deadline within which time the lock is wanted; 10 seconds if it is absent
	 * @param name the lock; the parts of a name with slashes
	 * @return the result
	 * @see LockInspector#requestRelease
	 */
	@WriteOperation
	public ReleaseRequestDescriptor requestRelease(@Nullable Duration deadline,
			@Selector(match = Match.ALL_REMAINING) String... name) {
		if (SERVLET) {
			CurrentRequest.requireUnambiguousPath();
		}
		String lock = String.join("/", name);
		boolean sent = ask(() -> this.inspector.requestRelease(lock, (deadline != null) ? deadline : DEFAULT_DEADLINE));
		return new ReleaseRequestDescriptor(lock, sent);
	}

	/**
	 * Release a lock by force, regardless of its holder.
	 * @param securityContext the security context of the request
	 * @param permit the number of one permit, absent for all that hold the name
	 * @param name the lock; the parts of a name with slashes
	 * @return the result
	 * @see LockInspector#forceRelease
	 */
	@DeleteOperation
	public ForcedReleaseDescriptor forceRelease(SecurityContext securityContext, @Nullable Integer permit,
			@Selector(match = Match.ALL_REMAINING) String... name) {
		if (SERVLET) {
			CurrentRequest.requireUnambiguousPath();
		}
		if (permit != null && permit < 1) {
			throw new InvalidEndpointRequestException("Permits are numbered from 1", "Not the number of a permit");
		}
		String lock = String.join("/", name);
		List<NodeReport> held = inspect(lock, permit);
		LockDescriptor before = LockDescriptor.of(lock, held, this.inspector.status(lock).required());
		List<NodeReport> reports = this.inspector.forceRelease(lock, (permit != null) ? permit : 0).join();
		List<ForcedReleaseDescriptor.FailureDescriptor> failures = reports.stream()
			.filter((report) -> report.error() != null)
			.map((report) -> new ForcedReleaseDescriptor.FailureDescriptor(report.node(),
					String.valueOf(report.error())))
			.toList();
		boolean released = held.stream().anyMatch((report) -> !report.holders().isEmpty())
				&& LockDescriptor.isReported(reports, this.inspector.status(lock).required());
		ForcedReleaseDescriptor result = new ForcedReleaseDescriptor(lock, released, before.owner(), failures);
		audit(securityContext, result, reports.size());
		return result;
	}

	/**
	 * Ask the nodes, and leave out the holders of other permits than the one that is
	 * given.
	 */
	private List<NodeReport> inspect(String name, @Nullable Integer permit) {
		List<NodeReport> reports = ask(() -> this.inspector.inspect(name));
		return (permit != null) ? reports.stream().map((report) -> only(report, permit)).toList() : reports;
	}

	private static <T> T ask(Supplier<CompletableFuture<T>> question) {
		try {
			return question.get().join();
		}
		catch (LockKeyException ex) {
			throw new InvalidEndpointRequestException(String.valueOf(ex.getMessage()), "Not a name of a lock");
		}
		catch (UnsupportedOperationException ex) {
			throw new InvalidEndpointRequestException(String.valueOf(ex.getMessage()), "Not supported by the backend");
		}
	}

	private static NodeReport only(NodeReport report, int permit) {
		return new NodeReport(report.node(), report.voting(),
				report.holders().stream().filter((holder) -> holder.permit() == permit).toList(), report.waiters(),
				report.fence(), report.error());
	}

	private void audit(SecurityContext securityContext, ForcedReleaseDescriptor result, int nodes) {
		Principal principal = securityContext.getPrincipal();
		String who = (principal != null) ? principal.getName() : "anonymous";
		logger.warn(
				"Audit: '%s' %s lock '%s' by force on %d of %d nodes; it was held by %s. Make sure that its holder has stopped"
					.formatted(LogText.escape(who), result.released() ? "released" : "tried to release",
							LogText.escape(result.name()), nodes - result.failures().size(), nodes,
							(result.previousOwner() != null) ? "'" + LogText.escape(result.previousOwner()) + "'"
									: "no majority of them"));
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("lock", result.name());
		data.put("released", result.released());
		data.put("previousOwner", String.valueOf(result.previousOwner()));
		this.publisher.publishEvent(new AuditApplicationEvent(new AuditEvent(who, FORCED_RELEASE, data)));
	}

	/**
	 * Check that Actuator drops nothing of a path before an operation sees the name:
	 * {@code //a} and {@code a;b=c} would both act on {@code a}.
	 * @param path the path of a request
	 * @throws InvalidEndpointRequestException if a segment is empty or has parameters
	 */
	@Api(Api.Status.INTERNAL)
	public static void requireUnambiguous(String path) {
		if (path.contains("//") || path.contains(";") || path.endsWith("/")) {
			throw new InvalidEndpointRequestException("The path has an empty segment or path parameters",
					"Actuator drops empty segments and what follows a semicolon. Encode a semicolon as %3B; a name with "
							+ "an empty segment cannot be reached by its path.");
		}
	}

	/** The servlet request that is being handled, if there is one. */
	private static final class CurrentRequest {

		private CurrentRequest() {
		}

		static void requireUnambiguousPath() {
			if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes servlet) {
				requireUnambiguous(servlet.getRequest().getRequestURI());
			}
		}

	}

	/**
	 * The result of a forced release.
	 *
	 * @param name the lock
	 * @param released whether something was held or cooled down, and a majority of the
	 * nodes confirmed
	 * @param previousOwner the owner that held it on a majority of the nodes just before
	 * @param failures the nodes that did not confirm
	 */
	public record ForcedReleaseDescriptor(String name, boolean released, @Nullable String previousOwner,
			List<FailureDescriptor> failures) implements OperationResponseBody {

		/**
		 * A node that did not confirm.
		 *
		 * @param name the node's address
		 * @param error what went wrong
		 */
		public record FailureDescriptor(String name, String error) {
		}

	}

	/**
	 * The result of a request to release a lock.
	 *
	 * @param name the lock
	 * @param sent whether an instance that holds it listens and was sent the request
	 */
	public record ReleaseRequestDescriptor(String name, boolean sent) implements OperationResponseBody {
	}

}
