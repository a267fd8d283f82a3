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

package io.quorlock.aop.declaration;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Between which each {@code leaseTime} has to be.
 *
 * @param operationTimeout how long a request to the nodes may take; a lease that is not
 * longer may be over when it is granted. {@code null} for any
 * @param maxLeaseTime the greatest lease, or {@code null} for any
 * @since 0.1.0
 */
public record LeaseBounds(@Nullable Duration operationTimeout, @Nullable Duration maxLeaseTime) {

	/** Bounds that allow any lease. */
	public static final LeaseBounds NONE = new LeaseBounds(null, null);

	private static final String LONGER = "Set it to longer than the method runs, or remove it, so that the lock is renewed.";

	void check(Duration leaseTime, String value, LockDeclaration declaration) {
		declaration.require(!leaseTime.isZero(), "leaseTime", value, "it must be positive", LONGER);
		declaration.require(this.operationTimeout == null || leaseTime.compareTo(this.operationTimeout) > 0,
				"leaseTime", value,
				("it is not longer than a request to the nodes may take, which is %s "
						+ "(distributed-lock.connection.operation-timeout): the lock may be over when it is granted")
					.formatted(this.operationTimeout),
				LONGER);
		declaration.require(this.maxLeaseTime == null || leaseTime.compareTo(this.maxLeaseTime) <= 0, "leaseTime",
				value, "it is longer than distributed-lock.max-lease-time, which is " + this.maxLeaseTime,
				"Remove it, so that the lock is renewed for as long as the method runs, or raise "
						+ "distributed-lock.max-lease-time and distributed-lock.restart-quarantine.");
	}

}
