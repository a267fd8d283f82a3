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

package io.quorlock.metrics;

import org.jspecify.annotations.Nullable;

import io.quorlock.Api;
import io.quorlock.LockRequest;

/**
 * What is known while a lock is being acquired.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public class LockAcquireObservationContext extends LockObservationContext {

	private final LockRequest request;

	private @Nullable LockOutcome outcome;

	private int attempts;

	/**
	 * Create the context.
	 * @param request the request
	 * @param lock the value for the tag {@code lock}
	 */
	public LockAcquireObservationContext(LockRequest request, String lock) {
		this(request, LockKeyValues.of(lock, LockKeyValues.mode(request.mode(), request.permits())));
	}

	LockAcquireObservationContext(LockRequest request, LockKeyValues keyValues) {
		super(keyValues, request.names());
		this.request = request;
	}

	/**
	 * Return the request.
	 * @return the request
	 */
	public LockRequest getRequest() {
		return this.request;
	}

	/**
	 * Return the outcome.
	 * @return the outcome, or {@code null} while it is not known
	 */
	public @Nullable LockOutcome getOutcome() {
		return this.outcome;
	}

	/**
	 * Return how often the nodes were asked.
	 * @return the attempts, 0 while the outcome is not known
	 */
	public int getAttempts() {
		return this.attempts;
	}

	void end(LockOutcome outcome, int attempts) {
		this.outcome = outcome;
		this.attempts = attempts;
	}

}
