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

/**
 * What a connection is logged in with.
 *
 * @param user the user; the default user if there is none
 * @param password the password, or {@code null} if there is nothing to log in with
 */
record Login(@Nullable String user, @Nullable String password) {

	private static final String DEFAULT_USER = "default";

	/** Return the command that a connection begins with. */
	byte[] hello(String clientName) {
		return (this.password == null) ? RespEncoder.command("HELLO", "3", "SETNAME", clientName)
				: RespEncoder.command("HELLO", "3", "AUTH", userOrDefault(), this.password, "SETNAME", clientName);
	}

	/** Return the command that a connection goes on with. */
	byte[] auth() {
		return RespEncoder.command("AUTH", userOrDefault(), String.valueOf(this.password));
	}

	private String userOrDefault() {
		return (this.user != null) ? this.user : DEFAULT_USER;
	}

	@Override
	public String toString() {
		return "Login[user=" + this.user + "]";
	}

}
