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

package io.quorlock.leader;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Leadership}.
 */
class LeadershipTests {

	private final AtomicBoolean held = new AtomicBoolean(true);

	private final Leadership leadership = new Leadership(
			(LockHandle) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { LockHandle.class },
					(proxy, method, arguments) -> method.getName().equals("isHeld") ? this.held.get() : null));

	/** After a pause, the callback for the loss may run much later. */
	@Test
	void isOverWithTheLeaseBeforeTheLossIsReported() {
		assertThat(this.leadership.isHeld()).isTrue();
		this.held.set(false);
		assertThat(this.leadership.isHeld()).isFalse();
		assertThat(this.leadership.enter()).isEmpty();
	}

	@Test
	void isOverWhenItEndsAlthoughTheLockIsStillHeld() {
		this.leadership.end();
		assertThat(this.leadership.isHeld()).isFalse();
	}

}
