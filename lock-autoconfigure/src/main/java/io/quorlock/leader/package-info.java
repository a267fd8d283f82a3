/**
 * Leader election: one instance at a time leads a role, for as long as it holds the
 * role's lock.
 */
@NullMarked
package io.quorlock.leader;

import org.jspecify.annotations.NullMarked;
