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

import org.jspecify.annotations.Nullable;

/**
 * What all commands have: their target, their attempt, and their number among the
 * commands of the attempt.
 *
 * @since 0.1.0
 */
public final class CommandHeader {

	final LockTarget target;

	final Attempt attempt;

	private final int number;

	/** What a driver made of the command, to encode it once for all of its nodes. */
	volatile @Nullable Object encodedForm;

	/**
	 * Create the header of the next command of an attempt.
	 * @param target what the command is about
	 * @param attempt the attempt
	 */
	public CommandHeader(LockTarget target, Attempt attempt) {
		this.target = target;
		this.attempt = attempt;
		this.number = attempt.nextNumber();
	}

	@Override
	public String toString() {
		return this.target + " by " + this.attempt;
	}

	boolean isNewest() {
		return this.attempt.isNewest(this.number);
	}

}
