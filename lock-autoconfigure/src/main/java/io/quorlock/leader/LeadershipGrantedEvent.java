package io.quorlock.leader;

/**
 * Event published when this instance begins to lead a role. The events of a role are
 * published one after another by one thread, so a listener that blocks delays the
 * {@link LeadershipRevokedEvent}: start long work on a thread of its own.
 * <p>
 * If a listener throws an exception, the instance gives the role up, so that another one
 * may lead.
 *
 * @param role the role
 * @param fencingToken the fencing token of the role's lock, greater than that of every
 * earlier leader; 0 if fencing tokens are switched off
 * @since 0.1.0
 */
public record LeadershipGrantedEvent(String role, long fencingToken) {
}
