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

import io.quorlock.time.LockClock;

import static io.quorlock.SettingCheck.check;

/**
 * The settings of a {@link ZooKeeperLeaseStore}.
 *
 * @param connectString the servers, as ZooKeeper has it: {@code host:port,host:port}
 * @param instanceId the readable owner, part of every token
 * @param sessionTimeout how long a session outlives its last sign of life, positive; the
 * servers may grant another timeout
 * @param connectionTimeout within which time a server has to accept a new session, which
 * is opened anew otherwise; positive
 * @param operationTimeout how long a caller waits for the servers to reply; positive
 * @param root the node below which all others are kept, an absolute path
 * @param clockDriftFactor by how much the rates of two clocks may differ, relatively; 0
 * to 0.1
 * @param fencing whether grants carry fencing tokens
 * @param fencingFloor what all fencing tokens have to exceed, for resources that have
 * seen greater ones than the clock would give, those of other servers: microseconds since
 * 1970-01-01T00:00Z, as tokens are; 0 for none
 * @param acl the access control list of every node that is created
 * @param credentials what every session authenticates with
 * @param clientProperties properties of the ZooKeeper client, for example
 * {@code zookeeper.client.secure}
 * @param moreClientProperties supplies further properties of the client, before each new
 * session; those of {@code clientProperties} win
 * @since 0.1.0
 * @see #builder(String, String)
 */
public record ZooKeeperSettings(String connectString, String instanceId, Duration sessionTimeout,
		Duration connectionTimeout, Duration operationTimeout, String root, double clockDriftFactor, boolean fencing,
		long fencingFloor, List<ACL> acl, List<Credentials> credentials, Map<String, String> clientProperties,
		Supplier<Map<String, String>> moreClientProperties) {

	/**
	 * How many threads may hold one lease in turn: a grant owns 64 fencing tokens.
	 */
	public static final int MAX_HANDOVERS = FencingTokens.PER_GRANT;

	private ZooKeeperSettings checked() {
		check(this.sessionTimeout.compareTo(Duration.ZERO) > 0, "session timeout", this.sessionTimeout);
		check(this.connectionTimeout.compareTo(Duration.ZERO) > 0, "connection timeout", this.connectionTimeout);
		check(this.operationTimeout.compareTo(Duration.ZERO) > 0, "operation timeout", this.operationTimeout);
		check(this.clockDriftFactor >= 0 && this.clockDriftFactor <= 0.1, "clock drift factor", this.clockDriftFactor);
		check(this.fencingFloor >= 0, "fencing floor", this.fencingFloor);
		return this;
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

	/** What fencing tokens must not lie below: the clock, or the floor. */
	long leastToken(LockClock clock) {
		return Math.max(clock.wallMicros(), this.fencingFloor);
	}

	/** The properties of the next client. */
	Map<String, String> nextClientProperties() {
		Map<String, String> all = new LinkedHashMap<>(this.moreClientProperties.get());
		all.putAll(this.clientProperties);
		return all;
	}

	/** Without the properties of the client, which may be passwords. */
	@Override
	public String toString() {
		return "ZooKeeperSettings[%s%s]".formatted(this.connectString, this.root);
	}

	/**
	 * What a session authenticates with.
	 *
	 * @param scheme the scheme, for example {@code digest}
	 * @param secret what the scheme wants, for example {@code user:password}
	 */
	@SuppressWarnings("ArrayRecordComponent")
	public record Credentials(String scheme, byte[] secret) {

		@Override
		public String toString() {
			return this.scheme;
		}

	}

	/**
	 * Builds {@link ZooKeeperSettings}: each method sets the component of its name, which
	 * is documented there, or adds to it.
	 */
	public static final class Builder {

		private final String connectString;

		private final String instanceId;

		private Duration sessionTimeout = Duration.ofSeconds(15);

		private Duration connectionTimeout = Duration.ofSeconds(15);

		private Duration operationTimeout = Duration.ofSeconds(1);

		private String root = "/quorlock";

		private double clockDriftFactor = 0.01;

		private boolean fencing = true;

		private long fencingFloor;

		private List<ACL> acl = ZooDefs.Ids.OPEN_ACL_UNSAFE;

		private final List<Credentials> credentials = new ArrayList<>();

		private final Map<String, String> clientProperties = new LinkedHashMap<>();

		private Supplier<Map<String, String>> moreClientProperties = Map::of;

		private Builder(String connectString, String instanceId) {
			this.connectString = connectString;
			this.instanceId = instanceId;
		}

		/**
		 * Set the {@linkplain ZooKeeperSettings#sessionTimeout() component} of this name.
		 * @param sessionTimeout its value
		 * @return this builder
		 */
		public Builder sessionTimeout(Duration sessionTimeout) {
			this.sessionTimeout = sessionTimeout;
			return this;
		}

		/**
		 * Set the {@linkplain ZooKeeperSettings#connectionTimeout() component} of this
		 * name.
		 * @param connectionTimeout its value
		 * @return this builder
		 */
		public Builder connectionTimeout(Duration connectionTimeout) {
			this.connectionTimeout = connectionTimeout;
			return this;
		}

		/**
		 * Set the {@linkplain ZooKeeperSettings#operationTimeout() component} of this
		 * name.
		 * @param operationTimeout its value
		 * @return this builder
		 */
		public Builder operationTimeout(Duration operationTimeout) {
			this.operationTimeout = operationTimeout;
			return this;
		}

		/**
		 * Set the {@linkplain ZooKeeperSettings#root() component} of this name.
		 * @param root its value
		 * @return this builder
		 */
		public Builder root(String root) {
			this.root = root;
			return this;
		}

		/**
		 * Set the {@linkplain ZooKeeperSettings#clockDriftFactor() component} of this
		 * name.
		 * @param clockDriftFactor its value
		 * @return this builder
		 */
		public Builder clockDriftFactor(double clockDriftFactor) {
			this.clockDriftFactor = clockDriftFactor;
			return this;
		}

		/**
		 * Set the {@linkplain ZooKeeperSettings#fencing() component} of this name.
		 * @param fencing its value
		 * @return this builder
		 */
		public Builder fencing(boolean fencing) {
			this.fencing = fencing;
			return this;
		}

		/**
		 * Set the {@linkplain ZooKeeperSettings#fencingFloor() component} of this name.
		 * @param fencingFloor its value
		 * @return this builder
		 */
		public Builder fencingFloor(long fencingFloor) {
			this.fencingFloor = fencingFloor;
			return this;
		}

		/**
		 * Set the {@linkplain ZooKeeperSettings#acl() component} of this name.
		 * @param acl its value
		 * @return this builder
		 */
		public Builder acl(List<ACL> acl) {
			this.acl = acl;
			return this;
		}

		/**
		 * Set what each session logs in with.
		 * @param scheme the scheme, such as {@code digest}
		 * @param secret what the scheme takes
		 * @return this builder
		 */
		public Builder credentials(String scheme, byte[] secret) {
			this.credentials.add(new Credentials(scheme, secret.clone()));
			return this;
		}

		/**
		 * Set a property of the ZooKeeper client.
		 * @param name its name
		 * @param value its value
		 * @return this builder
		 */
		public Builder clientProperty(String name, String value) {
			this.clientProperties.put(name, value);
			return this;
		}

		/**
		 * Set the {@linkplain ZooKeeperSettings#clientProperties() component} of this
		 * name.
		 * @param clientProperties its value
		 * @return this builder
		 */
		public Builder clientProperties(Supplier<Map<String, String>> clientProperties) {
			this.moreClientProperties = clientProperties;
			return this;
		}

		/**
		 * Build the settings.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is out of range
		 */
		public ZooKeeperSettings build() {
			return new ZooKeeperSettings(this.connectString, this.instanceId, this.sessionTimeout,
					this.connectionTimeout, this.operationTimeout, this.root, this.clockDriftFactor, this.fencing,
					this.fencingFloor, List.copyOf(this.acl), List.copyOf(this.credentials),
					Map.copyOf(this.clientProperties), this.moreClientProperties)
				.checked();
		}

	}

}
