package io.quorlock.zookeeper;

import java.util.List;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The place of one claim in the queues of its names, in one session: entering them,
 * finding out whether the claim is in after a lost connection, and looking at the claims
 * in front. Runs in the mailbox of the claim.
 */
final class QueuePlace {

	private final StoreContext context;

	private final Session session;

	private final List<String> containers;

	private final QueueNode.Kind kind;

	private final String owner;

	private final Mailbox mailbox;

	private final Listener listener;

	private QueueEntry entry;

	private QueueEntry.@Nullable Created created;

	private long createdNanos;

	private @Nullable Look look;

	private boolean left;

	QueuePlace(StoreContext context, Session session, List<String> containers, QueueNode.Kind kind, String owner,
			Mailbox mailbox, Listener listener) {
		this.context = context;
		this.session = session;
		this.containers = containers;
		this.kind = kind;
		this.owner = owner;
		this.mailbox = mailbox;
		this.listener = listener;
		this.entry = newEntry();
	}

	private QueueEntry newEntry() {
		return new QueueEntry(this.session, this.containers, this.kind, this.context.newNodeId(), this.owner);
	}

	Session session() {
		return this.session;
	}

	QueueEntry entry() {
		return this.entry;
	}

	/** The transaction that created the nodes. Only while the claim is in the queues. */
	long zxid() {
		return (this.created != null) ? this.created.zxid() : 0;
	}

	/** The servers' clock, as far as it is known without asking. */
	long serverMillis() {
		long millis = (this.created != null) ? this.created.millis() : 0;
		return millis + (this.context.now() - this.createdNanos) / 1_000_000;
	}

	/** Create the nodes, and look at the queues if anything else is in them. */
	void enter() {
		QueueEntry latest = this.entry;
		latest.create((code, reply) -> {
			Long base = this.session.tokenBase().value();
			this.mailbox.execute(() -> entered(latest, code, reply, base));
		});
	}

	/** Whether the claim is known to be in the queues. */
	boolean isEntered() {
		return this.created != null;
	}

	void look() {
		if (this.left) {
			return;
		}
		Look latest = new Look();
		this.look = latest;
		// With the base, so that it is as new as what is seen of the queues.
		this.session.requests().look(this.containers, this.context.paths().tokenBase(), (code, results) -> {
			latest.received(code, results);
			this.mailbox.execute(() -> looked(latest));
		});
	}

	/** A read alone may come from a server that has not heard of the latest release. */
	void lookBehindSync() {
		this.session.requests().sync(this.containers.get(0), (code, synced) -> {
		});
		look();
	}

	/** Leave the queues. Nothing is reported any more. */
	void leave() {
		this.left = true;
		this.context.removed(this.entry.remove());
	}

	/** Stay in the queues as a holder. Nothing is reported any more. */
	QueueEntry keep() {
		this.left = true;
		return this.entry;
	}

	private void entered(QueueEntry latest, Code code, QueueEntry.@Nullable Created reply, @Nullable Long base) {
		if (this.left || latest != this.entry) {
			return;
		}
		switch (code) {
			case OK -> {
				created(reply);
				if (reply != null && reply.alone() && base != null) {
					this.listener.onSituation(new Look.Situation.First(base), this);
				}
				else {
					look();
				}
			}
			case NONODE -> createContainers();
			case CONNECTIONLOSS -> resume(this::find);
			default -> this.listener.onRefused(code);
		}
	}

	private void created(QueueEntry.@Nullable Created reply) {
		this.created = reply;
		this.createdNanos = this.context.now();
	}

	private void find() {
		QueueEntry latest = this.entry;
		latest.find((code, reply) -> this.mailbox.execute(() -> {
			if (code == Code.NONODE) {
				enterAgain();
			}
			else {
				entered(latest, code, reply, null);
			}
		}));
	}

	private void enterAgain() {
		if (!this.left) {
			this.context.removed(this.entry.remove());
			this.entry = newEntry();
			this.created = null;
			enter();
		}
	}

	private void createContainers() {
		Containers.create(this.session.requests(), this.context.paths(), this.containers,
				(code, done) -> this.mailbox.execute(() -> containersCreated(code)));
	}

	private void containersCreated(Code code) {
		switch (code) {
			case OK, NODEEXISTS -> enterAgain();
			case CONNECTIONLOSS -> resume(this::enterAgain);
			default -> refused(code);
		}
	}

	private void looked(Look latest) {
		if (this.left || latest != this.look) {
			return;
		}
		switch (latest.code()) {
			case OK -> {
				if (latest.lacksBase()) {
					restoreBase();
				}
				else {
					report(latest);
				}
			}
			// The queue itself is gone.
			case NONODE -> enterAgain();
			case CONNECTIONLOSS -> resume(this::look);
			default -> refused(latest.code());
		}
	}

	/** It was deleted: tokens go on from the wall clock. */
	private void restoreBase() {
		TokenBase.raise(this.session.requests(), this.context.paths(), this.context.wallMicros(), zxid(),
				(code) -> this.mailbox.execute(() -> {
					switch (code) {
						case OK -> look();
						case CONNECTIONLOSS -> resume(this::look);
						default -> refused(code);
					}
				}));
	}

	private void report(Look latest) {
		if (this.created == null) {
			inspect(latest);
			return;
		}
		Look.Situation situation = latest.situation(this.entry);
		if (situation instanceof Look.Situation.Evicted) {
			enterAgain();
		}
		else {
			this.listener.onSituation(situation, this);
		}
	}

	/**
	 * The transaction is not known of several nodes created together, and of a node
	 * found.
	 */
	private void inspect(Look latest) {
		this.entry.inspect((code, reply) -> this.mailbox.execute(() -> {
			if (this.left || latest != this.look) {
				return;
			}
			switch (code) {
				case OK -> {
					created(reply);
					report(latest);
				}
				case NONODE -> enterAgain();
				case CONNECTIONLOSS -> resume(this::look);
				default -> refused(code);
			}
		}));
	}

	private void refused(Code code) {
		if (!this.left) {
			this.listener.onRefused(code);
		}
	}

	private void resume(Runnable task) {
		this.session.resume(() -> this.mailbox.execute(() -> {
			if (!this.left) {
				task.run();
			}
		}));
	}

	/**
	 * Is notified in the mailbox of the claim.
	 */
	interface Listener {

		/**
		 * The claim has looked at the queues.
		 * @param situation what it saw
		 * @param place where it stands
		 */
		void onSituation(Look.Situation situation, QueuePlace place);

		/**
		 * The servers refused a request.
		 * @param code why
		 */
		void onRefused(Code code);

	}

}
