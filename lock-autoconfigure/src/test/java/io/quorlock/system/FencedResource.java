package io.quorlock.system;

import java.util.HashMap;
import java.util.Map;

/**
 * What the locks of a chaos run protect. It refuses tokens smaller than the greatest that
 * it has seen, and checks by the holders' clock, which no lock should need, that this
 * refused all that were late.
 */
final class FencedResource {

	private final Map<Integer, Long> greatestToken = new HashMap<>();

	private final Map<Integer, Long> latestGrant = new HashMap<>();

	private long accepted;

	private long refused;

	private long staleAccepted;

	/**
	 * Writes.
	 * @param name which of the resources
	 * @param token the holder's fencing token
	 * @param granted when the holder got the lock; it was sure to hold it then
	 * @return whether it was accepted
	 */
	synchronized boolean write(int name, long token, long granted) {
		if (token < this.greatestToken.getOrDefault(name, 0L)) {
			this.refused++;
			return false;
		}
		this.greatestToken.put(name, token);
		this.accepted++;
		if (granted < this.latestGrant.getOrDefault(name, Long.MIN_VALUE)) {
			this.staleAccepted++;
		}
		this.latestGrant.merge(name, granted, Math::max);
		return true;
	}

	synchronized long accepted() {
		return this.accepted;
	}

	synchronized long refused() {
		return this.refused;
	}

	synchronized long staleAccepted() {
		return this.staleAccepted;
	}

}
