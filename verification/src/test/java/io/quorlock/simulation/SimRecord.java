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

package io.quorlock.simulation;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.Membership.RecordAction;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.membership.Seals;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.simulation.redis.RedisErrorException;

/**
 * What one client does about the record of one node whose layout has a version (R23), as
 * the driver does.
 */
final class SimRecord {

	/**
	 * What is asked of a node.
	 *
	 * @param question its number
	 * @param action what to do
	 * @param seal the least seal
	 * @param sealedBefore since when the groups before are sealed
	 */
	record Request(Seals.Question question, RecordAction action, int seal, long sealedBefore) {
	}

	private final SimClient client;

	private final SimServer server;

	private final Membership membership;

	private final int index;

	private final NodeAdmission admission;

	private RecordAction action = RecordAction.WAIT;

	SimRecord(SimClient client, SimServer server, Membership membership, int index, NodeAdmission admission) {
		this.client = client;
		this.server = server;
		this.membership = membership;
		this.index = index;
		this.admission = admission;
	}

	int version() {
		return this.membership.seals().layout().version();
	}

	void connected(String runId) {
		this.membership.claim(this.index, runId);
	}

	void disconnected() {
		this.action = RecordAction.WAIT;
		this.membership.seals().disconnected(this.index);
	}

	Request request() {
		Seals seals = this.membership.seals();
		return new Request(seals.ask(this.client.nanoTime()), this.action, seals.toWrite(this.index, this.action),
				seals.sealedBeforeSeconds());
	}

	@Nullable MembershipRecord execute(Request request) {
		String action = switch (request.action()) {
			case NONE -> "stay";
			case WAIT -> "read";
			case FOUND -> "found";
			case JOIN -> "join";
			case MARK -> "mark";
		};
		try {
			return this.server.record(action, this.membership.identity(), request.seal(), request.sealedBefore());
		}
		catch (RedisErrorException ex) {
			if (ex.code().equals("NOSCRIPT")) {
				this.server.load(LockScript.RECORD); // the next time it is there
			}
			return null;
		}
	}

	void received(Request request, MembershipRecord record) {
		long now = this.client.nanoTime();
		boolean recorded = record.suffices(true);
		this.admission.onRecord(recorded ? record.ageSeconds() : -1, now);
		this.admission.onRefusal((record.seal() > version()) ? "refused" : "");
		if (recorded || record.seal() < 0) {
			this.membership.seals()
				.read(this.index, request.question(), record.seal(), record.sealed(), record.sealAgeSeconds(), now);
		}
		this.action = this.membership.examine(this.index, recorded, now);
	}

}
