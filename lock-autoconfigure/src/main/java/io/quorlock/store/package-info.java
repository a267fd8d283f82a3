/**
 * The seam between the engine and the systems that grant leases. On one side stands
 * <em>which request of this process</em> gets a lock: local queues, hand-over, re-entry,
 * handles. On the other stands <em>whether the cluster grants it</em>: attempts, votes,
 * tokens, renewal and waiting.
 */
@NullMarked
package io.quorlock.store;

import org.jspecify.annotations.NullMarked;
