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

package io.quorlock.quorum.node;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NodeCommand}: what a driver may send once more.
 */
class NodeCommandTests {

	private static final List<String> ORDER = List.of("order");

	private final Attempt attempt = new Attempt("app@host:1:ab:7");

	private NodeCommand renew(boolean shorten) {
		return TestCommands.renew(ORDER, this.attempt, 30_000, shorten, null, 0);
	}

	@Test
	void newestCommandOfAnAttemptAloneIsSentAgain() {
		NodeCommand first = TestCommands.raise(ORDER, this.attempt, new long[] { 7 }, 0);
		assertThat(first.isResendable()).isTrue();
		NodeCommand second = renew(false);
		assertThat(second.isResendable()).isTrue();
		assertThat(first.isResendable()).isFalse();
	}

	@Test
	void renewalThatMayShortenTheLeaseIsNotSentAgain() {
		assertThat(renew(true).isResendable()).isFalse();
	}

	@Test
	void onceAReleaseIsQueuedItAloneIsSentAgain() {
		NodeCommand renewal = renew(false);
		this.attempt.releasing();
		assertThat(renewal.isResendable()).isFalse();
		NodeCommand release = new NodeCommand.Release(ORDER, this.attempt, 0);
		assertThat(release.isResendable()).isTrue();
		new NodeCommand.Release(ORDER, this.attempt, 0);
		assertThat(release.isResendable()).isFalse();
	}

}
