package io.quorlock.groups;

import io.quorlock.store.Claim;
import io.quorlock.store.LeaseStore;

/**
 * What is claimed of one group.
 *
 * @param store the group
 * @param claim the names that belong to it
 */
record PartialClaim(LeaseStore store, Claim claim) {
}
