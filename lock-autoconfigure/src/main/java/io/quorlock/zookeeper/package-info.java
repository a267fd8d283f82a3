/**
 * A {@link io.quorlock.store.LeaseStore} on a ZooKeeper ensemble (R22): each claim is an
 * ephemeral sequential node, the first in the queue holds, and a session counts as alive
 * only for as long as writes with a reply prove it.
 */
@NullMarked
package io.quorlock.zookeeper;

import org.jspecify.annotations.NullMarked;
