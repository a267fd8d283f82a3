package io.quorlock.redis.client;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus.State;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Subscriptions}.
 */
class SubscriptionsTests {

	private static final String NAME = "n";

	private static final String CHANNEL = "lock:{n}:released";

	private static EmbeddedRedisNode redis;

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedisNode.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@BeforeEach
	void flush() {
		redis.execute("FLUSHALL");
	}

	@Test
	void unwatchLeavesNoSubscription() {
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			probe.node().watch(NAME);
			probe.node().flush();
			awaitSubscribers(1);
			probe.node().unwatch(NAME);
			probe.node().flush();
			awaitSubscribers(0);
		}
	}

	@Test
	void channelIsSubscribedToOnceHoweverOftenItIsWatched() {
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			for (int i = 0; i < 3; i++) {
				probe.node().watch(NAME);
				probe.node().flush();
			}
			// Answered behind all confirmations.
			probe.send(NodeProbe.acquire(new Attempt("a1"), NAME));
			assertThat(probe.watching).containsExactly(NAME);
		}
	}

	@Test
	void watchIsConfirmedAgainAfterAReconnect() throws InterruptedException {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis); NodeProbe probe = NodeProbe.connect(proxy.uri())) {
			probe.node().watch(NAME);
			probe.node().flush();
			assertThat(probe.watching.poll(30, TimeUnit.SECONDS)).isEqualTo(NAME);
			proxy.cut();
			probe.await(State.DOWN);
			proxy.restore();
			assertThat(probe.watching.poll(30, TimeUnit.SECONDS)).isEqualTo(NAME);
			redis.execute("PUBLISH", CHANNEL, "");
			assertThat(probe.released.poll(30, TimeUnit.SECONDS)).isEqualTo(NAME);
		}
	}

	@Test
	void watchBeforeTheConnectionIsNotForgotten() throws InterruptedException {
		try (LoopbackProxy proxy = LoopbackProxy.to(redis)) {
			proxy.cut();
			try (NodeProbe probe = NodeProbe.start(proxy.uri(), NodeProbe.options())) {
				probe.node().watch(NAME);
				probe.node().flush();
				proxy.restore();
				assertThat(probe.watching.poll(30, TimeUnit.SECONDS)).isEqualTo(NAME);
			}
		}
	}

	@Test
	void messagesDoNotDisturbTheOrderOfReplies() {
		try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
			for (int i = 0; i < 500; i++) {
				String name = "n" + i;
				Attempt attempt = new Attempt("a" + i);
				probe.node().watch(name);
				probe.node().flush();
				assertThat(probe.send(NodeProbe.acquire(attempt, name))).isInstanceOf(NodeReply.Granted.class);
				assertThat(probe.send(NodeProbe.acquire(new Attempt("other"), name)))
					.isInstanceOfSatisfying(NodeReply.Refused.class, (refused) -> assertThat(refused.blockers())
						.containsExactly(new NodeReply.Blocker.Owner(attempt.token())));
				assertThat(probe.send(NodeProbe.release(attempt, name))).isEqualTo(new NodeReply.Released(true, 1));
				probe.node().unwatch(name);
				probe.node().flush();
			}
			assertThat(probe.watching).hasSize(500);
		}
	}

	@Test
	void subscriptionThatIsDeniedDisturbsNothing() {
		try (EmbeddedRedisNode strict = EmbeddedRedisNode.builder()
			.user("locker on >secret ~lock:* &lock:* +@all -subscribe")
			.start(); NodeProbe probe = NodeProbe.connect("redis://locker:secret@127.0.0.1:" + strict.port())) {
			probe.node().watch(NAME);
			probe.node().flush();
			Attempt attempt = new Attempt("a1");
			assertThat(probe.send(NodeProbe.acquire(attempt, "n"))).isInstanceOf(NodeReply.Granted.class);
			assertThat(probe.send(NodeProbe.release(attempt, "n"))).isInstanceOf(NodeReply.Released.class);
			assertThat(probe.watching).isEmpty();
		}
	}

	private static void awaitSubscribers(long count) {
		Awaitility.await()
			.atMost(NodeProbe.LONG)
			.until(() -> List.of(CHANNEL, count).equals(redis.execute("PUBSUB", "NUMSUB", CHANNEL)));
	}

}
