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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * What a session needs of the servers before it is used.
 */
class SessionSetupTests {

	private final SessionRequests requests = mock();

	private Code created = Code.OK;

	private Code read = Code.OK;

	private Code looked = Code.OK;

	@Test
	void sessionCanBeUsedWhenAllIsThere() {
		assertThat(setUp()).containsExactly(Code.OK);
	}

	/** Such as those before 3.6, which do not know the request. */
	@ParameterizedTest
	@EnumSource(names = { "UNIMPLEMENTED", "CONNECTIONLOSS" })
	void sessionCannotBeUsedIfTheServersDoNotTakeALook(Code reply) {
		this.looked = reply;
		assertThat(setUp()).containsExactly(reply);
	}

	@Test
	void sessionCannotBeUsedIfTheBaseOfTokensMayNotBeRead() {
		this.read = Code.NOAUTH;
		assertThat(setUp()).containsExactly(Code.NOAUTH);
	}

	@Test
	void sessionCannotBeUsedIfItsNodeMayNotBeCreated() {
		this.created = Code.NOAUTH;
		assertThat(setUp()).containsExactly(Code.NOAUTH);
	}

	private List<Code> setUp() {
		willAnswer((call) -> {
			call.<SessionRequests.Reply<Stat>>getArgument(3)
				.received(this.created, (this.created == Code.OK) ? new Stat() : null);
			return null;
		}).given(this.requests).create(any(), any(), any(), any());
		willAnswer((call) -> {
			SessionRequests.Content base = new SessionRequests.Content("9".getBytes(StandardCharsets.US_ASCII),
					new Stat());
			call.<SessionRequests.Reply<SessionRequests.Content>>getArgument(2)
				.received(this.read, (this.read == Code.OK) ? base : null);
			return null;
		}).given(this.requests).read(any(), anyBoolean(), any());
		willAnswer((call) -> {
			call.<SessionRequests.Reply<Object>>getArgument(2).received(this.looked, null);
			return null;
		}).given(this.requests).look(any(), any(), any());
		List<Code> done = new ArrayList<>();
		LockPaths paths = new LockPaths("/quorlock");
		FencingTokens.Base base = new FencingTokens.Base(paths.tokenBase(), this.requests, new SessionEvents(mock()),
				tokens(9));
		new SessionSetup(this.requests, paths, "/heartbeat", base, done::add).start();
		return done;
	}

	private static FencingTokens tokens(long floor) {
		return new FencingTokens(
				TestZooKeeperSettings.with("127.0.0.1:1", "a").set(ZooKeeperSettings::fencingFloor, floor).build(),
				mock());
	}

}
