package io.quorlock.zookeeper;

/**
 * Reads what stands in the nodes of claims. Curator writes the address of its host there.
 */
final class Owners {

	private Owners() {
	}

	/**
	 * The data of a writer's node that became a reader's: its fencing token does not
	 * follow from the transaction that created it.
	 */
	static String withFence(String owner, long fence) {
		return owner + " " + fence;
	}

	/** The fencing token that the data names, 0 if it names none. */
	static long fenceOf(String data) {
		int space = data.lastIndexOf(' ');
		try {
			return (space > 0) ? Long.parseLong(data.substring(space + 1)) : 0;
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	static String tokenOf(String data) {
		return (fenceOf(data) > 0) ? data.substring(0, data.lastIndexOf(' ')) : data;
	}

	/** The instance id is what stands before {@code :<random>:<counter>}. */
	static String instanceOf(String token) {
		int counter = token.lastIndexOf(':');
		int random = (counter > 0) ? token.lastIndexOf(':', counter - 1) : -1;
		return (random > 0) ? token.substring(0, random) : token;
	}

}
