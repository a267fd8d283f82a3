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

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ActivityTests {

	private final Quorum.Activity activity = new Quorum.Activity();

	@Test
	void isIdleAtOnceIfNothingIsUnderWay() {
		assertThat(this.activity.whenIdle()).isCompleted();
		this.activity.began();
		this.activity.ended();
		assertThat(this.activity.whenIdle()).isCompleted();
	}

	@Test
	void isIdleWhenTheLastHasEnded() {
		this.activity.began();
		this.activity.began();
		CompletableFuture<?> idle = this.activity.whenIdle();
		this.activity.ended();
		assertThat(idle).isNotDone();
		this.activity.ended();
		assertThat(idle).isCompleted();
	}

}
