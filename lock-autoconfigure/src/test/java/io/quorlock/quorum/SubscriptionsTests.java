package io.quorlock.quorum;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.engine.SystemClock;
import io.quorlock.memory.InMemoryLockNode;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Subscriptions}.
 */
class SubscriptionsTests {

	private static final List<String> ORDER = List.of("order");

	private final InMemoryLockNode node = new InMemoryLockNode("node", new SystemClock());

	private final Subscriptions subscriptions = new Subscriptions(new Voters(List.of(this.node)));

	private final List<String> events = new ArrayList<>();

	/** A node in memory confirms the subscription before the call returns. */
	@Test
	void subscriberMaySubscribeAnotherWhileItIsNotified() {
		Noting second = new Noting("second");
		this.node.start(new NodeListener() {

			@Override
			public void onConnected(LockNode node) {
			}

			@Override
			public void onReleased(LockNode node, String name, String first) {
			}

			@Override
			public void onInstanceMessage(LockNode node, InstanceMessage message) {
			}

			@Override
			public void onWatching(LockNode node, String name) {
				SubscriptionsTests.this.subscriptions.notifyAll(name, (subscriber) -> subscriber.onSubscribed(0));
				SubscriptionsTests.this.subscriptions.add(ORDER, second);
			}

		});
		Noting first = new Noting("first");
		this.subscriptions.add(ORDER, first);
		this.subscriptions.notifyAll("order", (subscriber) -> subscriber.onReleased(0, ""));
		assertThat(this.events).containsExactly("first subscribed", "first released", "second released");
		this.subscriptions.remove(ORDER, first);
		this.subscriptions.remove(ORDER, second);
		this.subscriptions.notifyAll("order", (subscriber) -> subscriber.onReleased(0, ""));
		assertThat(this.events).hasSize(3);
	}

	private final class Noting implements Subscriptions.Subscriber {

		private final String name;

		Noting(String name) {
			this.name = name;
		}

		@Override
		public void onReleased(int slot, String first) {
			SubscriptionsTests.this.events.add(this.name + " released");
		}

		@Override
		public void onSubscribed(int slot) {
			SubscriptionsTests.this.events.add(this.name + " subscribed");
		}

	}

}
