package io.quorlock.zookeeper;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The permits of a name that are held at one moment, read one after the other. Curator
 * counts permits and does not number them: such a permit has the number 0.
 */
final class HeldPermits {

	private final List<String> owners = new ArrayList<>();

	private final Set<Integer> numbers = new HashSet<>();

	/**
	 * Read the permits that are held.
	 * @param requests the session's requests
	 * @param container where they are
	 * @param nodes the nodes of permits in it
	 * @param done receives the permits, or what hinders
	 */
	static void read(Requests requests, String container, List<QueueNode> nodes, BiConsumer<Code, HeldPermits> done) {
		HeldPermits held = new HeldPermits();
		for (QueueNode node : nodes) {
			requests.read(container + "/" + node.name(), false, (code, content) -> held.add(content));
		}
		// Behind the others.
		requests.sync(container, (code, synced) -> done.accept(code, held));
	}

	private void add(Requests.@Nullable Content content) {
		if (content != null) {
			this.owners.add(owner(content.text()));
			this.numbers.add(number(content.text()));
		}
	}

	/** The data of a permit: the token of its holder, and the number. */
	static String data(String owner, int number) {
		return owner + " " + number;
	}

	static String owner(String data) {
		return (number(data) > 0) ? data.substring(0, data.lastIndexOf(' ')) : data;
	}

	static int number(String data) {
		try {
			return Integer.parseInt(data.substring(data.lastIndexOf(' ') + 1));
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	/** The least number that is free. */
	int leastFree() {
		int number = 1;
		while (this.numbers.contains(number)) {
			number++;
		}
		return number;
	}

	/** The owner of the first of them. */
	@Nullable String firstOwner() {
		return this.owners.isEmpty() ? null : this.owners.get(0);
	}

}
