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

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

import io.quorlock.Api;

/**
 * Details of the ZooKeeper ensemble that locks are kept on. A bean of this type takes
 * precedence over {@code distributed-lock.zookeeper.connect-string}. If there are several
 * beans, their servers together are the ensemble.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public interface LockZooKeeperConnectionDetails extends ConnectionDetails {

	/**
	 * Return the servers.
	 * @return the connect string, as in {@code host1:2181,host2:2181}
	 */
	String getConnectString();

	/**
	 * Return the SSL bundle for connections to the servers. Asked again for every new
	 * session, so that a reloaded bundle takes effect.
	 * @return the bundle, or {@code null} for connections that are not encrypted
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

}
