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

package io.quorlock.redis.client;

import org.jspecify.annotations.Nullable;

import io.quorlock.redis.RespError;

/**
 * What a server does not carry out of the {@link ScratchCommands}.
 *
 * @param failure why it can grant no lock; empty if it can
 * @param unusable whether it refuses every command, so that held locks cannot be kept
 * either
 * @param degradation what it refuses though it grants locks; empty if nothing
 */
record Refusals(String failure, boolean unusable, String degradation) {

	static final Refusals NONE = new Refusals("", false, "");

	/**
	 * Return these and what one more command showed. The first reason counts.
	 */
	Refusals and(byte[] command, @Nullable Object reply) {
		if (!(reply instanceof RespError error) || error.isNoScript()) {
			return this;
		}
		String reason = error.describe();
		if (ScratchCommands.isNeededToGrant(command)) {
			return this.failure.isEmpty() ? new Refusals(reason, error.isUnusable(), "") : this;
		}
		return (this.failure.isEmpty() && this.degradation.isEmpty()) ? new Refusals("", false, reason) : this;
	}

}
