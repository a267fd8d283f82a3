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

package io.quorlock.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

import io.quorlock.Api;

/**
 * Details required to connect to the nodes that keep the locks. One bean describes all
 * nodes; with several beans, the quorum consists of the nodes of all of them.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public interface LockConnectionDetails extends ConnectionDetails {

	/**
	 * Return the nodes as {@code redis://} or {@code rediss://} URIs, one independent
	 * master each.
	 * @return the nodes' URIs
	 */
	List<String> getNodes();

	/**
	 * Return the user for nodes whose URI has none.
	 * @return the user, or {@code null}
	 */
	default @Nullable String getUsername() {
		return null;
	}

	/**
	 * Return the password for nodes whose URI has none.
	 * @return the password, or {@code null}
	 */
	default @Nullable String getPassword() {
		return null;
	}

	/**
	 * Return the SSL bundle for nodes with a {@code rediss://} URI. Called for every new
	 * connection, so that a reloaded bundle takes effect.
	 * @return the bundle, or {@code null} for the trust store of the JVM
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

	/**
	 * Return whether the servers were started for this application, for development or
	 * for a test. Such a server is new, so that it votes as soon as it is connected. If
	 * it is replaced later, the new one is quarantined like any other. If this holds for
	 * all details, their nodes replace configured groups, too.
	 * @return whether a server votes although it was started just now
	 */
	default boolean isNewlyStarted() {
		return false;
	}

}
