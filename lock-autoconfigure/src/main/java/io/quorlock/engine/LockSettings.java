package io.quorlock.engine;

import java.time.Duration;

/**
 * What the engine is told. The properties under {@code distributed-lock} become this, and
 * their checks take place there.
 *
 * @param instanceId readable owner, part of every lock value
 * @param waitTime how long a request without a wait time of its own waits
 * @param leaseTime what the watchdog keeps alive
 * @param maxLeaseTime the longest lease that a request may ask for
 * @param maxHoldTime how long the watchdog renews at most; zero for no limit
 * @param operationTimeout how long a node may take to answer
 * @param retryMinDelay the shortest pause between two attempts
 * @param retryMaxDelay the longest pause between two attempts
 * @param maxAttempts how often a request asks the nodes; {@link Integer#MAX_VALUE} for no
 * limit
 * @param clockDriftFactor by how much the rates of two clocks may differ, relatively
 * @param fencing whether grants carry fencing tokens
 * @param fencingRetention how long a fence key outlives its last use
 * @param handoverMax how many threads of this process one grant may serve; 0 or 1 for no
 * hand-over
 * @param handoverMaxDuration for how long one grant may be handed on
 * @since 0.1.0
 */
public record LockSettings(String instanceId, Duration waitTime, Duration leaseTime, Duration maxLeaseTime,
		Duration maxHoldTime, Duration operationTimeout, Duration retryMinDelay, Duration retryMaxDelay,
		int maxAttempts, double clockDriftFactor, boolean fencing, Duration fencingRetention, int handoverMax,
		Duration handoverMaxDuration) {

	/**
	 * The documented defaults.
	 * @param instanceId readable owner, part of every lock value
	 * @return the settings
	 */
	public static LockSettings defaults(String instanceId) {
		return new LockSettings(instanceId, Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(60),
				Duration.ZERO, Duration.ofMillis(100), Duration.ofMillis(50), Duration.ofMillis(500), Integer.MAX_VALUE,
				0.01, true, Duration.ofMinutes(10), 16, Duration.ofMillis(50));
	}

}
