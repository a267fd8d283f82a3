package io.quorlock.engine;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * What follows in this process when a holder leaves a lease, or it ends.
 *
 * @param <L> the type of the leases
 */
interface Successor<L> {

	/** Hand the lease over to the next requests, if it may be (R17). */
	boolean handOver(L lease);

	/** Keep the lease behind its last holder, if it may be (R24). */
	boolean retain(L lease, Holder left);

	/** Hand an unused lease to the requests that wait for it, or release it. */
	void offer(L lease);

	/** Release the lease if it is unused; {@code false} if it is used, or has ended. */
	boolean giveUp(L lease);

	/** Give an unused lease to a request that took it (R24). */
	void resume(L lease, LocalQueue.Waiter next);

	/** Release the lease and let the next request ask. */
	CompletionStage<@Nullable Void> release(L lease, Duration cooldown);

	/** Let the next request ask, since the lease was lost. */
	void lost(L lease);

	/** Let readers of this process share the lease (R19). */
	void shared(L lease);

	/** Let others ask for leases beside this one, which is shared by now. */
	void admitBeside(L lease);

}
