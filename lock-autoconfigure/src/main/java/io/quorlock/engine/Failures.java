package io.quorlock.engine;

import java.time.Duration;
import java.util.concurrent.CancellationException;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockUnavailableException;
import io.quorlock.quorum.node.NodeReply;

/**
 * Says why a lock was not got: who has it, or which nodes are missing.
 */
final class Failures {

	private Failures() {
	}

	/** The last attempt failed and there is no time for another. */
	static LockException afterRound(Acquisition acquisition, AcquireRound round) {
		if (!round.isContended()) {
			return unavailable(acquisition, round.describeFailure());
		}
		NodeReply refusal = round.refusal();
		if (refusal == null) {
			return notAcquired(acquisition, null, "its nodes were divided among several who want it", null);
		}
		long remaining = Replies.remainingMillis(refusal);
		if (refusal instanceof NodeReply.Refused refused && refused.coolingDown()) {
			return notAcquired(acquisition, null, "it cools down for another %d ms".formatted(remaining), null);
		}
		String owner = instanceOf(String.valueOf(Replies.owner(refusal)));
		String holder = "%s holds it, for another %d ms unless renewed".formatted(LogText.escape(owner), remaining);
		return notAcquired(acquisition, owner, holder, null);
	}

	/** The wait ended in the local line: the nodes were not asked by this one. */
	static LockException inLine(Acquisition acquisition, String line, @Nullable Object occupant) {
		LockEngine engine = acquisition.engine();
		if (occupant instanceof Acquisition head) {
			AcquireRound round = head.lastRound();
			if ((round != null) ? !round.isContended() : !engine.quorum().hasCountedMajority()) {
				return unavailable(acquisition, (round != null) ? round.describeFailure() : engine.quorum().describe());
			}
		}
		String holder = "another thread of this instance waits for it first";
		if (occupant instanceof Lease lease) {
			holder = "thread '%s' of this instance has held '%s' for %d ms".formatted(lease.holder().thread(),
					LogText.escape(line), (engine.clock().nanoTime() - lease.holder().sinceNanos()) / 1_000_000);
		}
		return notAcquired(acquisition, engine.settings().instanceId(), holder, null);
	}

	static LockException interrupted(Acquisition acquisition, InterruptedException cause) {
		return notAcquired(acquisition, null, "the wait was interrupted", cause);
	}

	static LockException cancelled(Acquisition acquisition) {
		return notAcquired(acquisition, null, "the wait was cancelled", new CancellationException());
	}

	static LockException stopped(Acquisition acquisition) {
		return unavailable(acquisition, "the lock engine of this instance is stopped");
	}

	private static LockUnavailableException unavailable(Acquisition acquisition, String why) {
		return new LockUnavailableException("Lock '%s' is unavailable after %d ms and %d attempts: %s"
			.formatted(name(acquisition), acquisition.waitedNanos() / 1_000_000, acquisition.attempts(), why));
	}

	private static LockNotAcquiredException notAcquired(Acquisition acquisition, @Nullable String owner, String why,
			@Nullable Throwable cause) {
		Duration waited = Duration.ofNanos(acquisition.waitedNanos());
		return new LockNotAcquiredException(
				"Lock '%s' was not acquired within %d ms (%d attempts): %s".formatted(name(acquisition),
						waited.toMillis(), acquisition.attempts(), why),
				String.join(",", acquisition.request().names()), owner, waited, acquisition.attempts(), cause);
	}

	private static String name(Acquisition acquisition) {
		return LogText.escape(String.join(",", acquisition.request().names()));
	}

	/** The instance id is what stands before {@code :<random>:<counter>}. */
	static String instanceOf(String token) {
		int counter = token.lastIndexOf(':');
		int random = (counter > 0) ? token.lastIndexOf(':', counter - 1) : -1;
		return (random > 0) ? token.substring(0, random) : token;
	}

}
