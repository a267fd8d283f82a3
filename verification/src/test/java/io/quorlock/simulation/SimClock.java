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

import java.time.Duration;
import java.util.OptionalLong;

import io.quorlock.quorum.membership.ClockSteps;
import io.quorlock.quorum.membership.NodeAdmission;

/**
 * Reads the wall clock of one server for one client, as the driver does: for the tokens
 * (R9), and whether it was stepped (R27).
 */
final class SimClock implements ClockSteps.Listener {

	private static final long PERIOD = 1_000 * Plan.MILLI;

	/** How often a client looks whether something is due. */
	static final long TICK = 250 * Plan.MILLI;

	private final World world;

	private final SimClient client;

	private final SimServer server;

	private final ClockSteps steps;

	private final int index;

	private final NodeAdmission admission;

	private OptionalLong offsetMicros = OptionalLong.empty();

	private long readNanos;

	/** Since when this connection compares, and whether it has begun to read. */
	private long comparedSince = Long.MAX_VALUE;

	private boolean reading;

	/** By the world's time, when the last step was noticed, or reported by the record. */
	private long noticedAt = Long.MIN_VALUE;

	private long ownNoticedAt = Long.MIN_VALUE;

	private int notices;

	SimClock(SimClient client, SimServer server, World world, ClockSteps steps, int index, NodeAdmission admission) {
		this.world = world;
		this.client = client;
		this.server = server;
		this.steps = steps;
		this.index = index;
		this.admission = admission;
		steps.listen(index, this);
	}

	OptionalLong offsetMicros() {
		return this.offsetMicros;
	}

	/** Whether the server is to be asked now. */
	boolean isDue() {
		long now = this.client.nanoTime();
		this.steps.check(now);
		boolean due = this.steps.isSuspecting() || now - this.readNanos >= PERIOD;
		this.readNanos = due ? now : this.readNanos;
		return due;
	}

	void onTime(long micros, long sentNanos) {
		long now = this.client.nanoTime();
		this.readNanos = now;
		if (now - sentNanos <= this.world.plan.operationMillis * Plan.MILLI) {
			this.offsetMicros = OptionalLong.of(micros - (sentNanos / 2 + now / 2) / 1_000);
		}
		this.steps.read(this.index, sentNanos, now, micros);
		if (!this.reading) {
			// The record is read once more, as soon as it can be written.
			this.reading = true;
			this.readNanos -= PERIOD;
		}
		else if (this.comparedSince == Long.MAX_VALUE) {
			this.comparedSince = this.world.now();
		}
	}

	void disconnected() {
		this.offsetMicros = OptionalLong.empty();
		this.comparedSince = Long.MAX_VALUE;
		this.reading = false;
	}

	/** The record says that another instance noticed a step. */
	void onDoubt(long ageSeconds) {
		if (ageSeconds >= 0) {
			this.admission.onDoubt("its clock was stepped, as another saw", ageSeconds, this.client.nanoTime());
			this.noticedAt = Math.max(this.noticedAt, this.world.now() - (ageSeconds + 1) * 1_000 * Plan.MILLI);
		}
	}

	@Override
	public void onStep(Duration ahead, boolean proven, long noticedNanos) {
		this.world.trace("%s notices a step of %s by %s", this.client, this.server.name, ahead);
		this.admission.onDoubt("its clock was stepped", 0, this.client.minNanoTime());
		this.notices++;
		this.noticedAt = this.client.instant();
		this.world.clockFaults.noticed(this, this.server, proven);
		this.client.nodes.get(this.index).checkVotesAgain();
	}

	@Override
	public void onOwnStep(Duration ahead) {
		this.world.trace("%s takes a step of all by %s for its own", this.client, ahead);
		this.ownNoticedAt = this.world.now();
		this.client.nodes.forEach((node) -> node.noticedOwnStep(this.ownNoticedAt));
		this.world.clockFaults.noticedOwn(this);
	}

	/** It is reported for one of the nodes alone. */
	void noticedOwnStep(long when) {
		this.ownNoticedAt = when;
	}

	boolean comparesSinceBefore(long when) {
		return this.comparedSince < when;
	}

	long noticedAt() {
		return this.noticedAt;
	}

	long ownNoticedAt() {
		return this.ownNoticedAt;
	}

	int notices() {
		return this.notices;
	}

	SimClient client() {
		return this.client;
	}

	@Override
	public String toString() {
		return "the clock of " + this.server.name + " as " + this.client + " sees it";
	}

}
