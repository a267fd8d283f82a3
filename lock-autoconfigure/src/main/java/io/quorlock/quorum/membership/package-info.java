/**
 * Which nodes of a quorum may vote: the quarantine of restarted nodes and the record of
 * the node list (R10).
 */
@NullMarked
package io.quorlock.quorum.membership;

import org.jspecify.annotations.NullMarked;
