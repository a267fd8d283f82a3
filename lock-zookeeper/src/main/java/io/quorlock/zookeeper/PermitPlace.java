/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.zookeeper;

import java.util.List;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Grant;
import io.quorlock.zookeeper.SessionRequests.Reply;

/**
 * The place of a claim for one of several permits (R20), in the way of Curator's
 * {@code InterProcessSemaphoreV2}: claims queue for their turn, and the claim that has it
 * waits until a permit is free. The turn makes the number of the permit its holder's own.
 */
final class PermitPlace extends QueuePlace {

	private final List<String> permits;

	/** Notices when somebody deletes the node of the turn. */
	private ClaimNodes.@Nullable Watch turn;

	/**
	 * Whether the claim looks at the permits, and not at the queue: it has its turn, or
	 * does not wait and has not queued yet. While all permits are held, the turn belongs
	 * to a claim that waits, for which it would have to wait.
	 */
	private boolean atPermits;

	/** The permit that is being taken. */
	private @Nullable ClaimNodes permit;

	/** The transaction that created the permit. */
	private long zxid;

	PermitPlace(StoreContext context, Session session, Claim claim, String owner, Mailbox mailbox, Listener listener) {
		super(context, session, claim, owner, mailbox, listener);
		this.permits = List.of(context.paths.permits(claim.names().get(0)));
		this.atPermits = claim.isImmediate();
	}

	@Override
	boolean isDecisive() {
		return this.atPermits;
	}

	@Override
	void enter() {
		if (this.atPermits) {
			sync();
			look();
		}
		else {
			super.enter();
		}
	}

	@Override
	void first(long base) {
		this.atPermits = true;
		this.turn = new ClaimNodes.Watch(this.session, this.entry.paths(), () -> run(this::enterAgain));
		look();
	}

	@Override
	void abandon() {
		this.atPermits = false;
		if (this.turn != null) {
			this.turn.forget();
			this.turn = null;
		}
		removePermit();
		super.abandon();
	}

	private void removePermit() {
		if (this.permit != null) {
			this.context.removed(this.permit.remove());
			this.permit = null;
		}
	}

	/** What was seen of the permits is long over. */
	@Override
	public void onLapse() {
		run(() -> {
			if (this.atPermits && isEntered()) {
				lacksProof();
			}
		});
	}

	/** List the permits, whose numbers stand in their names. */
	@Override
	void look() {
		if (!this.atPermits) {
			super.look();
		}
		else if (this.permit == null) {
			String container = this.permits.get(0);
			watch(container);
			this.session.requests()
				.children(container, true, ask("list " + container, this::look,
						(code, children) -> looked(new ClaimQueue((children != null) ? children : List.of()))));
		}
	}

	private void looked(ClaimQueue held) {
		ClaimQueue.Node first = held.head();
		if (first != null && held.size() >= this.claim.permits()) {
			read(this.permits.get(0) + "/" + first.name(), false, this::full);
		}
		else if (isEntered()) {
			take(held.minFreePermit());
		}
		else {
			this.atPermits = false;
			super.enter();
		}
	}

	private void full(SessionRequests.Content content) {
		String instance = Grant.instanceOf(ClaimQueue.NodeData.parse(content.text()).owner());
		this.listener.onHeld(new ClaimFailure.Held(instance,
				"all %d permits are held, one of them by %s".formatted(this.claim.permits(), instance)));
	}

	/** Create the permit, and see whether there are too many. */
	private void take(int number) {
		clearObstacle();
		ClaimNodes latest = new ClaimNodes(this.session, this.permits,
				ClaimQueue.Node.prefix(this.context.newNodeId(), number),
				new ClaimQueue.NodeData(this.owner, number).toString());
		this.permit = latest;
		Look look = new Look(this.context.tokens);
		Reply<Look> reply = ask("create a node in " + this.permits.get(0), this::tryAgain,
				(code, done) -> taken(code, latest, look, number));
		latest.create((code, created) -> {
			this.zxid = (created != null) ? created.zxid() : 0;
			look.note(code);
		});
		look(look, this.permits, reply);
	}

	private void tryAgain() {
		removePermit();
		look();
	}

	private void taken(Code code, ClaimNodes latest, Look look, int number) {
		boolean free = code == Code.OK && !look.lacksBase() && look.queue(0).size() <= this.claim.permits();
		ZooKeeperGrant granted = free ? grant(latest, look.base(), this.zxid, number) : null;
		if (granted != null) {
			this.permit = null;
			leave();
			this.listener.onGranted(granted);
			return;
		}
		removePermit();
		if (code != Code.OK) {
			create(this.permits, this::look);
		}
		else if (look.lacksBase()) {
			restoreBase(this.zxid);
		}
		else if (!free) {
			resume(this::look);
		}
	}

}
