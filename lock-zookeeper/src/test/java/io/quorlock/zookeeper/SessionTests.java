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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The end of a session that never reached a server.
 */
class SessionTests implements Session.Listener {

	private final ManualTime time = new ManualTime();

	private final List<String> told = new ArrayList<>();

	private final Session.Member member = (reason) -> this.told.add("member: " + reason);

	private Session session;

	@BeforeEach
	void open() throws IOException {
		this.session = new Session(ZooKeeperStores.context(this.time), this);
	}

	@AfterEach
	void close() throws InterruptedException {
		this.session.close(0);
	}

	@Override
	public void onReady(Session ready) {
		throw new AssertionError();
	}

	@Override
	public void onOver(Session over, Session.Ending ending, String reason) {
		this.told.add(ending + ": " + reason);
	}

	@Test
	void itsMembersAreToldOnceAndAfterThatItIsOver() throws Exception {
		this.session.join(this.member);
		this.session.close(0);
		this.session.close(0);
		assertThat(this.told).containsExactly("STOPPED: the store is stopped", "member: the store is stopped");
		assertThat(this.session.isOver()).isTrue();
	}

	@Test
	void memberThatJoinsItAfterItsEndIsToldAtOnce() throws Exception {
		this.session.close(0);
		this.told.clear();
		this.session.join(this.member);
		assertThat(this.told).containsExactly("member: the store is stopped");
	}

	@Test
	void memberThatHasLeftIsNotTold() throws Exception {
		this.session.join(this.member);
		this.session.leave(this.member);
		this.session.close(0);
		assertThat(this.told).containsExactly("STOPPED: the store is stopped");
	}

	@Test
	void isOverIfNoServerAcceptsItInTime() {
		this.session.join(this.member);
		this.time.advance(Duration.ofMillis(14_999));
		assertThat(this.told).isEmpty();
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.told).containsExactly("NOT_ACCEPTED: no server accepted a session within 15000 ms",
				"member: no server accepted a session within 15000 ms");
	}

	/** Its requests fail, so that nothing is left that waits for their replies. */
	@Test
	void whatWaitsForAConnectionGoesOnAtItsEndAndSoonAfterThat() throws Exception {
		this.session.resume(() -> this.told.add("before"));
		this.time.advance(Duration.ofSeconds(14));
		assertThat(this.told).isEmpty();
		this.session.close(0);
		assertThat(this.told).contains("before");
		this.session.resume(() -> this.told.add("behind"));
		this.time.advance(Duration.ofMillis(50));
		assertThat(this.told).contains("behind");
	}

}
