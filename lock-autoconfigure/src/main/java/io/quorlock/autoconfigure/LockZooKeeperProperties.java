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

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.Delimiter;

/**
 * Properties of the zookeeper backend.
 *
 * @since 0.1.0
 */
public class LockZooKeeperProperties {

	/**
	 * Servers of the ensemble, as in 'host1:2181,host2:2181,host3:2181'. Selects the
	 * zookeeper backend unless another is configured.
	 */
	private @Nullable String connectString;

	/**
	 * Time after which the servers end the session of an unresponsive instance and free
	 * its locks. The servers may negotiate another value.
	 */
	private Duration sessionTimeout = Duration.ofSeconds(15);

	/**
	 * Time within which a server has to accept a new session. The session is opened anew
	 * otherwise.
	 */
	private Duration connectionTimeout = Duration.ofSeconds(15);

	/**
	 * Node below which all others are kept.
	 */
	private String root = "/quorlock";

	/**
	 * Credentials of every session, each as 'scheme:secret', for example
	 * 'digest:user:password'. A single value is one entry, commas included; several are
	 * written as a list.
	 */
	@Delimiter(Delimiter.NONE)
	private List<String> auth = new ArrayList<>();

	/**
	 * Access control list of every node that is created, each entry as
	 * 'scheme:id:permissions', for example 'auth::cdrwa'. A single value is one entry,
	 * commas included; several are written as a list. All users may do everything unless
	 * set.
	 */
	@Delimiter(Delimiter.NONE)
	private List<String> acl = new ArrayList<>();

	/**
	 * Properties of the ZooKeeper client, for example for SASL.
	 */
	private Map<String, String> clientProperties = new LinkedHashMap<>();

	private final Ssl ssl = new Ssl();

	public @Nullable String getConnectString() {
		return this.connectString;
	}

	public void setConnectString(@Nullable String connectString) {
		this.connectString = connectString;
	}

	public Duration getSessionTimeout() {
		return this.sessionTimeout;
	}

	public void setSessionTimeout(Duration sessionTimeout) {
		this.sessionTimeout = sessionTimeout;
	}

	public Duration getConnectionTimeout() {
		return this.connectionTimeout;
	}

	public void setConnectionTimeout(Duration connectionTimeout) {
		this.connectionTimeout = connectionTimeout;
	}

	public String getRoot() {
		return this.root;
	}

	public void setRoot(String root) {
		this.root = root;
	}

	public List<String> getAuth() {
		return this.auth;
	}

	public void setAuth(List<String> auth) {
		this.auth = auth;
	}

	public List<String> getAcl() {
		return this.acl;
	}

	public void setAcl(List<String> acl) {
		this.acl = acl;
	}

	public Map<String, String> getClientProperties() {
		return this.clientProperties;
	}

	public void setClientProperties(Map<String, String> clientProperties) {
		this.clientProperties = clientProperties;
	}

	public Ssl getSsl() {
		return this.ssl;
	}

	/**
	 * Properties of encrypted connections to ZooKeeper.
	 */
	public static class Ssl {

		/**
		 * SSL bundle name. Connections are encrypted when it is set.
		 */
		private @Nullable String bundle;

		public @Nullable String getBundle() {
			return this.bundle;
		}

		public void setBundle(@Nullable String bundle) {
			this.bundle = bundle;
		}

	}

}
