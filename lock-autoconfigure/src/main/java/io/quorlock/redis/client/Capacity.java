package io.quorlock.redis.client;

/**
 * How many commands may be pending on one connection. Callers go on when a majority has
 * replied, so nothing else keeps them from filling the memory when one node hangs. Not
 * thread-safe: the queue guards it.
 */
final class Capacity {

	static final int MAX_COMMANDS = 32_768;

	private static final long MAX_BYTES = 16 * 1024 * 1024;

	/**
	 * A release for every command that was taken, and the commands of the node itself.
	 */
	private static final int MAX_URGENT_COMMANDS = 2 * MAX_COMMANDS + 1_024;

	private static final long MAX_URGENT_BYTES = 2 * MAX_BYTES;

	/** Fits into any socket's empty buffer. */
	private static final int MAX_WRITTEN_BY_CALLER = 8 * 1024;

	private long pendingBytes;

	void add(PendingCommand command) {
		this.pendingBytes += command.bytes().length;
	}

	void remove(PendingCommand command) {
		this.pendingBytes -= command.bytes().length;
	}

	/** Return whether there is no room for commands behind so many others. */
	boolean isExceeded(int pending, PendingCommand... commands) {
		boolean urgent = commands[commands.length - 1].isUrgent();
		return pending >= (urgent ? MAX_URGENT_COMMANDS : MAX_COMMANDS)
				|| this.pendingBytes + size(commands) > (urgent ? MAX_URGENT_BYTES : MAX_BYTES);
	}

	/** Return whether everything that is pending fits into an empty socket buffer. */
	boolean isWrittenByCaller(PendingCommand... offered) {
		return this.pendingBytes + size(offered) <= MAX_WRITTEN_BY_CALLER;
	}

	private static long size(PendingCommand... commands) {
		long size = 0;
		for (PendingCommand command : commands) {
			size += command.bytes().length;
		}
		return size;
	}

}
