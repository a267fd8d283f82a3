package io.quorlock.actuate;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.quorlock.store.NodeReport;

/**
 * What the nodes report of one name.
 *
 * @param name the lock
 * @param state {@code held}, {@code free}, {@code divided} (no majority agrees: it is
 * being taken or released, or was left behind) or {@code unavailable} (no majority of
 * voting nodes replied)
 * @param owner who holds it on a majority of the nodes
 * @param nodes the report of each node
 * @since 0.1.0
 */
public record LockDescriptor(String name, String state, @Nullable String owner,
		List<ReportDescriptor> nodes) implements OperationResponseBody {

	/**
	 * The report of one node.
	 *
	 * @param name the node's address
	 * @param voting whether the node votes
	 * @param owner the value of the key there, absent if there is none
	 * @param remaining how long the key lives
	 * @param fence the greatest fencing token that it stores
	 * @param error why there is no reply
	 */
	public record ReportDescriptor(String name, boolean voting, @Nullable String owner, @Nullable Duration remaining,
			@Nullable Long fence, @Nullable String error) {

		static ReportDescriptor of(NodeReport report) {
			return new ReportDescriptor(report.node(), report.voting(), report.owner(),
					(report.owner() != null) ? report.remaining() : null, (report.fence() != 0) ? report.fence() : null,
					report.error());
		}

	}

}
