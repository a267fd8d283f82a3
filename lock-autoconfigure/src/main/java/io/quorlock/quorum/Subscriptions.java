package io.quorlock.quorum;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.quorlock.quorum.node.LockNode;

/**
 * Which contenders wait for the release message of which name. The nodes are asked for
 * the messages of a name as long as a contender waits for it.
 */
final class Subscriptions {

	/** A contender that waits for a release. */
	interface Subscriber {

		/**
		 * A node announced that a name was released, and which claim is the first to
		 * wait.
		 */
		void onReleased(int slot, String first);

		/** A node confirmed the subscription: an earlier release may have been missed. */
		void onSubscribed(int slot);

	}

	private final Voters voters;

	private final ConcurrentHashMap<String, Set<Subscriber>> subscribers = new ConcurrentHashMap<>();

	/** In the order in which the set of subscribers of a name changed. */
	private final Submissions submissions = new Submissions();

	Subscriptions(Voters voters) {
		this.voters = voters;
	}

	/** The nodes have to be flushed. */
	void add(List<String> names, Subscriber subscriber) {
		for (String name : names) {
			this.subscribers.compute(name, (key, known) -> {
				Set<Subscriber> all = known;
				if (all == null) {
					// In an order that does not depend on hash codes (R16).
					all = Collections.synchronizedSet(new LinkedHashSet<>(2));
					submit((node) -> node.watch(name));
				}
				all.add(subscriber);
				return all;
			});
		}
		this.submissions.drain();
	}

	void remove(List<String> names, Subscriber subscriber) {
		for (String name : names) {
			this.subscribers.computeIfPresent(name, (key, all) -> {
				all.remove(subscriber);
				if (!all.isEmpty()) {
					return all;
				}
				submit((node) -> node.unwatch(name));
				return null;
			});
		}
		this.submissions.drain();
	}

	/** Called while the map guards a name. */
	private void submit(Consumer<LockNode> command) {
		Thread caller = Thread.currentThread();
		this.submissions.add(() -> this.voters.nodes().forEach((node) -> {
			command.accept(node);
			if (Thread.currentThread() != caller) {
				node.flush(); // the caller has perhaps flushed by now
			}
		}));
	}

	void notifyAll(String name, Consumer<Subscriber> message) {
		Set<Subscriber> all = this.subscribers.get(name);
		if (all != null) {
			List<Subscriber> present;
			synchronized (all) {
				present = List.copyOf(all);
			}
			present.forEach(message);
		}
	}

}
