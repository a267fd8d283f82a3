package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;

/**
 * An engine over nodes that reply as they are told, with time that stands still.
 */
final class ScriptedCluster {

	static final LockRequest ORDER = LockRequest.of("order");

	final ManualTime time = new ManualTime();

	final List<ScriptedNode> nodes = new ArrayList<>();

	final LockEngine engine;

	ScriptedCluster(int count, LockListener... listeners) {
		this(count, UnaryOperator.identity(), listeners);
	}

	ScriptedCluster(int count, UnaryOperator<TestSettings> settings, LockListener... listeners) {
		for (int i = 0; i < count; i++) {
			this.nodes.add(new ScriptedNode("node" + i).granting());
		}
		this.engine = TestEngines.create(settings.apply(TestSettings.defaults("app@host:1")), this.nodes, this.time,
				this.time, Runnable::run, List.of(listeners), List.of(), () -> 42);
		this.engine.start();
	}

	/** Asks without a wait. */
	CompletableFuture<LockHandle> acquire(LockRequest request) {
		return this.engine.acquireAsync(request, Duration.ZERO);
	}

	CompletableFuture<LockHandle> acquire(LockRequest request, Duration waitTime) {
		return this.engine.acquireAsync(request, waitTime);
	}

	/** These nodes announce the release of "order". */
	void announceRelease(int... slots) {
		for (int slot : slots) {
			this.nodes.get(slot).announceRelease("order");
		}
	}

	void silence() {
		this.nodes.forEach(ScriptedNode::silent);
	}

	void grant() {
		this.nodes.forEach(ScriptedNode::granting);
	}

}
