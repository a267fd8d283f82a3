package io.quorlock.quorum.node;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Commands on exclusive locks.
 */
public final class TestCommands {

	private TestCommands() {
	}

	public static NodeCommand raise(List<String> names, Attempt attempt, long[] fences, long fenceMillis) {
		return new NodeCommand.Raise(header(names, attempt), fences, fenceMillis, 0);
	}

	public static NodeCommand renew(List<String> names, Attempt attempt, long leaseMillis, boolean shorten,
			long @Nullable [] fences, long fenceMillis) {
		return new NodeCommand.Renew(header(names, attempt), leaseMillis, shorten, fences, fenceMillis, 0);
	}

	private static CommandHeader header(List<String> names, Attempt attempt) {
		return new CommandHeader(LockTarget.exclusive(names), attempt);
	}

}
