package io.quorlock.actuate;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The result of a forced release.
 *
 * @param name the lock
 * @param released whether something was held, and a majority of the nodes confirmed
 * @param previousOwner the owner that held it on a majority of the nodes just before
 * @param failures the nodes that did not confirm
 * @since 0.1.0
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
