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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;

/**
 * The settings of a {@link ZooKeeperLeaseStore}.
 *
 * @since 0.1.0
 * @see #builder(String, String)
 */
public final class ZooKeeperSettings {

	/**
	 * How many threads may hold one lease in turn: a grant owns 64 fencing tokens.
	 */
	public static final int MAX_HANDOVERS = FencingTokens.PER_GRANT;

	private final Builder values;

	private ZooKeeperSettings(Builder values) {
		this.values = values;
	}

	/**
	 * Create a builder with the documented defaults.
	 * @param connectString the servers, as ZooKeeper has it: {@code host:port,host:port}
	 * @param instanceId the readable owner, part of every token
	 * @return the builder
	 */
	public static Builder builder(String connectString, String instanceId) {
		return new Builder(connectString, instanceId);
	}

	String connectString() {
		return this.values.connectString;
	}

	String instanceId() {
		return this.values.instanceId;
	}

	Duration sessionTimeout() {
		return this.values.sessionTimeout;
	}

	Duration operationTimeout() {
		return this.values.operationTimeout;
	}

	String root() {
		return this.values.root;
	}

	double clockDriftFactor() {
		return this.values.clockDriftFactor;
	}

	boolean fencing() {
		return this.values.fencing;
	}

	/** A property of the client that does not come from elsewhere. */
	@Nullable String clientProperty(String name) {
		return this.values.clientProperties.get(name);
	}

	/** What fencing tokens must not lie below: the clock, or the floor. */
	long leastToken(EngineClock clock) {
		return Math.max(clock.wallMicros(), this.values.fencingFloor);
	}

	List<ACL> acl() {
		return this.values.acl;
	}

	List<Credentials> credentials() {
		return this.values.credentials;
	}

	/** The properties of the next client. */
	Map<String, String> clientProperties() {
		Map<String, String> all = new LinkedHashMap<>(this.values.moreClientProperties.get());
		all.putAll(this.values.clientProperties);
		return all;
	}

	/**
	 * What a session authenticates with.
	 *
	 * @param scheme the scheme, for example {@code digest}
	 * @param secret what the scheme wants, for example {@code user:password}
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Credentials(String scheme, byte[] secret) {

		@Override
		public String toString() {
			return this.scheme;
		}

	}

	/**
	 * Builds {@link ZooKeeperSettings}.
	 */
	public static final class Builder {

		private final String connectString;

		private final String instanceId;

		private final List<Credentials> credentials = new ArrayList<>();

		private final Map<String, String> clientProperties = new LinkedHashMap<>();

		private Supplier<Map<String, String>> moreClientProperties = Map::of;

		private Duration sessionTimeout = Duration.ofSeconds(15);

		private Duration operationTimeout = Duration.ofSeconds(1);

		private String root = "/quorlock";

		private double clockDriftFactor = 0.01;

		private boolean fencing = true;

		private long fencingFloor;

		private List<ACL> acl = ZooDefs.Ids.OPEN_ACL_UNSAFE;

		private Builder(String connectString, String instanceId) {
			this.connectString = connectString;
			this.instanceId = instanceId;
		}

		/**
		 * Set the session timeout to ask for. The servers may grant another.
		 * @param sessionTimeout how long a session outlives its last sign of life
		 * @return this builder
		 */
		public Builder sessionTimeout(Duration sessionTimeout) {
			this.sessionTimeout = sessionTimeout;
			return this;
		}

		/**
		 * Set how long a caller waits for the servers to reply.
		 * @param operationTimeout the time
		 * @return this builder
		 */
		public Builder operationTimeout(Duration operationTimeout) {
			this.operationTimeout = operationTimeout;
			return this;
		}

		/**
		 * Set the node below which all others are kept.
		 * @param root an absolute path
		 * @return this builder
		 */
		public Builder root(String root) {
			this.root = root;
			return this;
		}

		/**
		 * Set by how much the rates of two clocks may differ, relatively.
		 * @param clockDriftFactor the factor, for example 0.01
		 * @return this builder
		 */
		public Builder clockDriftFactor(double clockDriftFactor) {
			this.clockDriftFactor = clockDriftFactor;
			return this;
		}

		/**
		 * Set whether grants carry fencing tokens.
		 * @param fencing whether they do
		 * @return this builder
		 */
		public Builder fencing(boolean fencing) {
			this.fencing = fencing;
			return this;
		}

		/**
		 * Set what all fencing tokens have to exceed, for resources that have seen
		 * greater ones than the clock would give: those of other servers.
		 * @param fencingFloor microseconds since 1970-01-01T00:00Z, as tokens are; 0 for
		 * none
		 * @return this builder
		 */
		public Builder fencingFloor(long fencingFloor) {
			this.fencingFloor = fencingFloor;
			return this;
		}

		/**
		 * Set the access control list of every node that is created.
		 * @param acl the list
		 * @return this builder
		 */
		public Builder acl(List<ACL> acl) {
			this.acl = List.copyOf(acl);
			return this;
		}

		/**
		 * Add what every session authenticates with.
		 * @param scheme the scheme, for example {@code digest}
		 * @param secret what the scheme wants, for example {@code user:password}
		 * @return this builder
		 */
		public Builder credentials(String scheme, byte[] secret) {
			this.credentials.add(new Credentials(scheme, secret.clone()));
			return this;
		}

		/**
		 * Set a property of the ZooKeeper client, for example
		 * {@code zookeeper.client.secure}.
		 * @param name the name
		 * @param value the value
		 * @return this builder
		 */
		public Builder clientProperty(String name, String value) {
			this.clientProperties.put(name, value);
			return this;
		}

		/**
		 * Set what supplies further properties of the ZooKeeper client, before each new
		 * session. Those of {@link #clientProperty(String, String)} win.
		 * @param clientProperties supplies the properties
		 * @return this builder
		 */
		public Builder clientProperties(Supplier<Map<String, String>> clientProperties) {
			this.moreClientProperties = clientProperties;
			return this;
		}

		/**
		 * Build the settings. The builder is not used afterwards.
		 * @return the settings
		 */
		public ZooKeeperSettings build() {
			return new ZooKeeperSettings(this);
		}

	}

}
