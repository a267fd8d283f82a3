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

package io.quorlock.store;

import java.time.Duration;
import java.util.List;

import io.quorlock.LockMode;

/**
 * Builds claims for tests.
 */
public final class TestClaim {

	private final List<String> names;

	private LockMode mode = LockMode.EXCLUSIVE;

	private int permits;

	private Duration lease = Duration.ofSeconds(30);

	private boolean renewed = true;

	private int tokens = 1;

	private Duration wait = Duration.ZERO;

	private boolean retained;

	private boolean failFast;

	private int attempts = Integer.MAX_VALUE;

	private TestClaim(List<String> names) {
		this.names = names;
	}

	public static TestClaim of(String... names) {
		return new TestClaim(List.of(names));
	}

	public TestClaim shared() {
		this.mode = LockMode.SHARED;
		return this;
	}

	public TestClaim permits(int number) {
		this.permits = number;
		return this;
	}

	/** The lease ends after this time, nothing renews it. */
	public TestClaim lease(Duration fixed) {
		this.lease = fixed;
		this.renewed = false;
		return this;
	}

	/** The store renews leases of this length. */
	public TestClaim renewedLease(Duration renewed) {
		this.lease = renewed;
		return this;
	}

	public TestClaim tokens(int number) {
		this.tokens = number;
		return this;
	}

	public TestClaim waiting(Duration time) {
		this.wait = time;
		return this;
	}

	/** A claim that is refused because of the lease asks for it. */
	public TestClaim retained() {
		this.retained = true;
		return this;
	}

	/** The claim ends after the first attempt that nobody replied to. */
	public TestClaim failFast() {
		this.failFast = true;
		return this;
	}

	/** The claim asks so often at most. */
	public TestClaim attempts(int max) {
		this.attempts = max;
		return this;
	}

	public Claim at(long nowNanos) {
		return new Claim(this.names, this.mode, this.permits, false, this.lease.toNanos(), this.renewed, this.tokens,
				nowNanos, this.wait.toNanos(), this.attempts, this.failFast, this.retained);
	}

}
