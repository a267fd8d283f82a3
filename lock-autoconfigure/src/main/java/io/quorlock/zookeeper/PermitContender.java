package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;

/**
 * A claim for one of several permits (R20), in the way of Curator's
 * {@code InterProcessSemaphoreV2}: claims queue for their turn, and the claim that has it
 * waits until a permit is free. The turn makes the number of the permit its holder's own.
 */
final class PermitContender implements Contender, Contender.Listener {

	private final StoreContext context;

	private final Claim claim;

	private final Contender.Listener listener;

	private final String container;

	private final String owner;

	private final Contender queue;

	private final Mailbox mailbox = new Mailbox();

	private final List<Consumer<ClaimFailure>> asking = new ArrayList<>();

	private final List<Runnable> cleanUps = new ArrayList<>();

	private Runnable unwatch = () -> {
	};

	private @Nullable ZooKeeperGrant turn;

	private @Nullable QueueEntry entry;

	private boolean waits;

	private boolean ended;

	private volatile ClaimFailure lastFailure = new ClaimFailure.Pending();

	PermitContender(StoreContext context, Claim claim, Contender.Listener listener) {
		this.context = context;
		this.claim = claim;
		this.listener = listener;
		String name = claim.names().get(0);
		this.container = context.paths().permits(name);
		this.owner = context.newOwner();
		long wait = claim.isImmediate() ? context.operationTimeoutNanos() : claim.waitNanos();
		Claim forTurn = new Claim(claim.names(), LockMode.EXCLUSIVE, 0, 0, true, claim.leaseNanos(), true, 1,
				claim.queuedAtNanos(), wait, claim.maxAttempts(), claim.failFast(), false);
		this.queue = new ZooKeeperContender(context, forTurn, List.of(context.paths().permitTurns(name)), this);
	}

	@Override
	public void start() {
		this.queue.start();
	}

	@Override
	public void cancel() {
		run(() -> fail(new ClaimFailure.Cancelled()));
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		run(() -> {
			if (this.turn == null) {
				this.queue.askFor(outcome);
				return;
			}
			this.asking.add(outcome);
			look();
		});
	}

	@Override
	public int attempts() {
		return this.queue.attempts();
	}

	@Override
	public ClaimFailure lastFailure() {
		ClaimFailure own = this.lastFailure;
		return (own instanceof ClaimFailure.Pending) ? this.queue.lastFailure() : own;
	}

	@Override
	public void onWaiting() {
		run(this::reportWaiting);
	}

	@Override
	public void onGranted(Grant granted) {
		ZooKeeperGrant latest = (ZooKeeperGrant) granted;
		this.mailbox.execute(() -> {
			if (this.ended) {
				latest.release(Duration.ZERO);
				return;
			}
			this.turn = latest;
			long left = this.claim.isImmediate() ? this.context.operationTimeoutNanos()
					: this.claim.remainingNanos(this.context.now());
			this.cleanUps.add(this.context.timer().schedule(left, () -> run(this::waitIsOver))::cancel);
			latest.keep((reason) -> run(() -> fail(new ClaimFailure.Unavailable(reason))), (confirmed) -> {
			});
			look();
		});
	}

	@Override
	public void onFailed(ClaimFailure failure) {
		run(() -> fail(failure));
	}

	private void reportWaiting() {
		if (!this.waits && !this.claim.isImmediate()) {
			this.waits = true;
			this.listener.onWaiting();
		}
	}

	private void look() {
		ZooKeeperGrant latest = this.turn;
		if (latest == null || this.entry != null) {
			return;
		}
		Session session = latest.session();
		this.unwatch.run();
		this.unwatch = session.watches().on(this.container, (event) -> run(this::look));
		session.requests().children(this.container, true, (code, children) -> run(() -> {
			switch (code) {
				case OK, NONODE -> read(session, permits(children));
				default -> interrupted(session, code);
			}
		}));
	}

	private void read(Session session, List<QueueNode> nodes) {
		HeldPermits.read(session.requests(), this.container, nodes, (code, held) -> run(() -> {
			if (code != Code.OK && code != Code.NONODE) {
				interrupted(session, code);
			}
			else if (nodes.size() >= this.claim.permits()) {
				full(held);
			}
			else if (this.entry == null) {
				take(session, held.leastFree());
			}
		}));
	}

	/** Create the permit, and see whether there are too many. */
	private void take(Session session, int number) {
		this.unwatch.run();
		QueueEntry latest = new QueueEntry(session, List.of(this.container), QueueNode.Kind.LEASE,
				this.context.newNodeId(), HeldPermits.data(this.owner, number));
		this.entry = latest;
		Look look = new Look();
		long[] zxid = new long[1];
		latest.create((code, created) -> {
			zxid[0] = (created != null) ? created.zxid() : 0;
			look.note(code);
		});
		session.requests().look(List.of(this.container), this.context.paths().tokenBase(), (code, results) -> {
			look.received(code, results);
			run(() -> taken(session, latest, look, number, zxid[0]));
		});
	}

	private void taken(Session session, QueueEntry latest, Look look, int number, long zxid) {
		int proof = session.currentProof();
		ZooKeeperGrant held = this.turn;
		if (look.code() == Code.OK && !look.lacksBase() && look.queue(0).inOrder().size() <= this.claim.permits()
				&& proof >= 0 && held != null && held.isValid()) {
			this.entry = null;
			end();
			long @Nullable [] tokens = this.context.tokens(look.base(), zxid, 1);
			this.listener
				.onGranted(new ZooKeeperGrant(this.context, this.claim, latest, this.owner, tokens, number, proof));
			return;
		}
		this.context.removed(latest.remove());
		this.entry = null;
		if (look.code() == Code.NONODE) {
			Containers.create(session.requests(), this.context.paths(), List.of(this.container),
					(code, done) -> run(this::look));
		}
		else if (look.lacksBase()) {
			TokenBase.raise(session.requests(), this.context.paths(), this.context.wallMicros(), zxid,
					(code) -> run(() -> baseRaised(session, code)));
		}
		else if (look.code() == Code.OK) {
			session.resume(() -> run(this::look));
		}
		else {
			interrupted(session, look.code());
		}
	}

	private void baseRaised(Session session, Code code) {
		if (code == Code.OK) {
			look();
		}
		else {
			interrupted(session, code);
		}
	}

	private void full(HeldPermits held) {
		String first = held.firstOwner();
		String instance = (first != null) ? Owners.instanceOf(first) : null;
		ClaimFailure failure = new ClaimFailure.Held(instance,
				"all %d permits are held, one of them by %s".formatted(this.claim.permits(), instance));
		this.lastFailure = failure;
		List<Consumer<ClaimFailure>> waiting = List.copyOf(this.asking);
		this.asking.clear();
		waiting.forEach((outcome) -> outcome.accept(failure));
		if (this.claim.isImmediate()) {
			fail(failure);
		}
		else {
			reportWaiting();
		}
	}

	private void interrupted(Session session, Code code) {
		if (code == Code.CONNECTIONLOSS) {
			session.resume(() -> run(this::look));
		}
		else {
			fail(new ClaimFailure.Unavailable("ZooKeeper replied with " + code));
		}
	}

	private void waitIsOver() {
		fail((this.lastFailure instanceof ClaimFailure.Held) ? this.lastFailure
				: new ClaimFailure.Unavailable(this.context.sessions().describe()));
	}

	private void fail(ClaimFailure failure) {
		this.lastFailure = failure;
		end();
		this.listener.onFailed(failure);
	}

	/**
	 * Whatever was begun is undone: the turn, the place in its queue, a half-taken
	 * permit.
	 */
	private void end() {
		this.ended = true;
		this.unwatch.run();
		this.cleanUps.forEach(Runnable::run);
		if (this.turn != null) {
			this.turn.release(Duration.ZERO);
		}
		else {
			this.queue.cancel();
		}
		if (this.entry != null) {
			this.context.removed(this.entry.remove());
		}
	}

	private static List<QueueNode> permits(@Nullable List<String> children) {
		return new ClaimQueue((children != null) ? children : List.of()).inOrder();
	}

	private void run(Runnable task) {
		this.mailbox.execute(() -> {
			if (!this.ended) {
				task.run();
			}
		});
	}

}
