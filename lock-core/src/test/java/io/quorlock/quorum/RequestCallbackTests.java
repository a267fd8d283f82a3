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

package io.quorlock.quorum;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.ReleaseRequest;
import io.quorlock.quorum.QuorumGrant.RequestCallback;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QuorumGrant.RequestCallback} (R24).
 */
class RequestCallbackTests {

	private final List<ReleaseRequest> requests = new ArrayList<>();

	private final RequestCallback callback = new RequestCallback(this.requests::add);

	private static ReleaseRequest within(long seconds) {
		return new ReleaseRequest(List.of("order"), Duration.ofSeconds(seconds));
	}

	@Test
	void requestsThatCrossAreReportedOnceEach() {
		ReleaseRequest first = within(1);
		ReleaseRequest second = within(2);
		for (int node = 0; node < 3; node++) {
			this.callback.requested("a", first);
			this.callback.requested("b", second);
		}
		assertThat(this.requests).containsExactly(first, second);
	}

	@Test
	void requestIsForgottenWhenManyFollowIt() {
		for (int i = 0; i < 65; i++) {
			this.callback.requested("id-" + i, within(i));
		}
		this.callback.requested("id-1", within(1));
		assertThat(this.requests).hasSize(65);
		this.callback.requested("id-0", within(0));
		assertThat(this.requests).hasSize(66);
	}

}
