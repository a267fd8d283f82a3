package io.quorlock.redis.client;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What became of commands that were offered.
 *
 * @param refusal why they were not taken, or {@code null} if they were
 * @param toWrite what the offering thread has to write; unless it is empty, it has to
 * call {@link CommandQueue#written()} then
 */
record Offer(@Nullable String refusal, List<PendingCommand> toWrite) {

	static final Offer QUEUED = new Offer(null, List.of());

}
