package io.quorlock.zookeeper;

/**
 * Reads what stands in the nodes of claims. Curator writes the address of its host there.
 */
final class Owners {

	private Owners() {
	}

	/** The instance id is what stands before {@code :<random>:<counter>}. */
	static String instanceOf(String token) {
		int counter = token.lastIndexOf(':');
		int random = (counter > 0) ? token.lastIndexOf(':', counter - 1) : -1;
		return (random > 0) ? token.substring(0, random) : token;
	}

}
