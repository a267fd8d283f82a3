package io.quorlock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;

/**
 * The grants that a store holds, and the channel on which this instance is asked to let
 * them go (R24). It is watched from the first grant on whose holder wants to know.
 */
final class Grants {

	/** A grant that is held. */
	interface Member {

		List<String> names();

		String owner();

		int permit();

		/** The release was requested. Follows {@link #wanted()}. */
		void releaseRequested(String id, Duration deadline);

		/** Another instance wants the lock, so that the lease must not be retained. */
		void wanted();

		/** An operator takes the lock away, and something runs behind its release. */
		void revoke(String reason, Runnable behindRelease);

	}

	/** By owner. */
	private final Map<String, Member> held = new ConcurrentHashMap<>();

	private final Voters voters;

	private final Messenger messenger;

	private final Supplier<String> tokenPrefix;

	/**
	 * The name that is watched. Guarded by this object, under which no other is called.
	 */
	private @Nullable String watched;

	Grants(Voters voters, Messenger messenger, Supplier<String> tokenPrefix) {
		this.voters = voters;
		this.messenger = messenger;
		this.tokenPrefix = tokenPrefix;
	}

	void add(Member grant) {
		this.held.put(grant.owner(), grant);
	}

	void remove(Member grant) {
		this.held.remove(grant.owner());
	}

	/** Return those that hold a name now; what is granted meanwhile is not among them. */
	List<Member> of(String name) {
		return this.held.values().stream().filter((grant) -> grant.names().contains(name)).toList();
	}

	/** Watch the channel of this instance, whose tokens are others after a restart. */
	void listen() {
		String prefix = this.tokenPrefix.get();
		String name = LockNode.INSTANCE + prefix.substring(0, prefix.length() - 1);
		@Nullable String before;
		synchronized (this) {
			before = this.watched;
			this.watched = name;
		}
		if (name.equals(before)) {
			return;
		}
		this.voters.nodes().forEach((node) -> {
			if (before != null) {
				node.unwatch(before);
			}
			node.watch(name);
		});
		this.messenger.flush();
	}

	/** Others want leases of this instance. */
	void received(InstanceMessage message) {
		message.owners().stream().distinct().map(this.held::get).filter(Objects::nonNull).forEach((grant) -> {
			grant.wanted();
			if (message instanceof InstanceMessage.ReleaseRequested request) {
				grant.releaseRequested(request.id(), request.deadline());
			}
		});
	}

}
