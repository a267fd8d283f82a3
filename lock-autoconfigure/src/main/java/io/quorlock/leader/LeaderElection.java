package io.quorlock.leader;

import java.util.Optional;
import java.util.Set;

import io.quorlock.LockHandle;

/**
 * Elects one instance to lead each of the roles in {@code distributed-lock.leader.roles}.
 * A leader holds the lock {@code leader:<role>}, which is renewed until the instance
 * resigns, stops or loses it; then the instance competes again. It also resigns when the
 * release of that lock is requested.
 * <p>
 * Every method that takes a role throws {@link IllegalArgumentException} if the role is
 * not configured.
 *
 * @since 0.1.0
 * @see LeadershipGrantedEvent
 * @see LeadershipRevokedEvent
 * @see LeaderOnly
 */
public interface LeaderElection {

	/**
	 * Return the roles that this instance can lead.
	 * @return the configured roles
	 */
	Set<String> roles();

	/**
	 * Return whether this instance leads a role at this instant. The result is computed
	 * from the validity of the role's lock and does not depend on events, so that it is
	 * also correct after a pause of the process.
	 * @param role the role
	 * @return {@code true} as long as no other instance can lead
	 */
	boolean isLeader(String role);

	/**
	 * Return the instance that led a role when this instance last asked. A candidate asks
	 * at least once every few seconds.
	 * @param role the role
	 * @return the instance id, or empty if no leader is known
	 */
	Optional<String> currentLeader(String role);

	/**
	 * Enter the lock of a role if this instance leads it. The lock is not released before
	 * the handle is closed, even if the instance resigns meanwhile, so that the next
	 * leader begins after the work under this handle has ended.
	 * @param role the role
	 * @return a handle to close, or empty if this instance is not the leader
	 */
	Optional<LockHandle> enter(String role);

	/**
	 * Give up a role, if this instance leads it. From then on {@link #isLeader} is
	 * {@code false}. The instance competes again after a second, so that the other
	 * candidates come first.
	 * @param role the role
	 */
	void resign(String role);

	/**
	 * Start to compete for all roles. Called when the application is ready, unless
	 * {@code distributed-lock.leader.auto-start} is {@code false}.
	 */
	void start();

	/**
	 * Give up all roles and stop competing. Returns when the listeners have been notified
	 * and the election has released its locks, or after ten seconds.
	 */
	void stop();

}
