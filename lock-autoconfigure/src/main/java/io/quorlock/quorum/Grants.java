package io.quorlock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.LockNode;

/**
 * The grants that a store holds, and the channel on which this instance is asked to let
 * them go (R24). It is watched from the first grant on whose holder wants to know.
 */
final class Grants implements Subscriptions.Subscriber {

	/** A grant that is held. */
	interface Member {

		List<String> names();

		String owner();

		int permit();

		/** The release was requested. */
		void releaseRequested(String id, Duration deadline);

		/** Another instance was refused because of this grant, which may be retained. */
		void wanted();

		/** An operator takes the lock away, and something runs behind its release. */
		void revoke(String reason, Runnable behindRelease);

	}

	/** By owner. */
	private final Map<String, Member> held = new ConcurrentHashMap<>();

	private final Subscriptions subscriptions;

	private final Messenger messenger;

	private final Supplier<String> tokenPrefix;

	/**
	 * The name that is watched. Guarded by this object, under which no other is called.
	 */
	private @Nullable String watched;

	Grants(Subscriptions subscriptions, Messenger messenger, Supplier<String> tokenPrefix) {
		this.subscriptions = subscriptions;
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
		String before;
		synchronized (this) {
			before = this.watched;
			this.watched = name;
		}
		if (name.equals(before)) {
			return;
		}
		if (before != null) {
			this.subscriptions.remove(List.of(before), this);
		}
		this.subscriptions.add(List.of(name), this);
		this.messenger.flush();
	}

	/**
	 * A request: the deadline in milliseconds, its id, and the owners that are asked. Or
	 * the news that others were refused because of leases that may be retained.
	 */
	@Override
	public void onReleased(int slot, String message) {
		List<String> lines = message.lines().toList();
		if (lines.size() > 1 && lines.get(0).equals(LockNode.WANTED)) {
			owners(lines.subList(1, lines.size())).forEach(Member::wanted);
			return;
		}
		if (lines.size() < 3 || !lines.get(0).matches("\\d{1,15}")) {
			return;
		}
		Duration deadline = Duration.ofMillis(Long.parseLong(lines.get(0)));
		owners(lines.subList(2, lines.size())).forEach((grant) -> {
			grant.wanted(); // whether or not its holder listens
			grant.releaseRequested(lines.get(1), deadline);
		});
	}

	private Stream<Member> owners(List<String> tokens) {
		return tokens.stream().distinct().map(this.held::get).filter(Objects::nonNull);
	}

	@Override
	public void onSubscribed(int slot) {
		// A request that was missed is not repeated.
	}

}
