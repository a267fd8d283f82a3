package io.quorlock.leader;

/**
 * Event published when this instance no longer leads a role: it resigned, is stopped, or
 * has lost the role's lock. After a loss another instance may lead already; otherwise the
 * lock is released once all listeners of this event have returned.
 *
 * @param role the role
 * @param fencingToken the token of the {@link LeadershipGrantedEvent}
 * @since 0.1.0
 */
public record LeadershipRevokedEvent(String role, long fencingToken) {
}
