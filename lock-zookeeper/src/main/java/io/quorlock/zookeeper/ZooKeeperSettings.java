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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

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
 */
public record ZooKeeperSettings(String connectString, String instanceId, Duration sessionTimeout,
		Duration connectionTimeout, Duration operationTimeout, String root, double clockDriftFactor, boolean fencing,
		long fencingFloor, List<ACL> acl, List<Credentials> credentials, Map<String, String> clientProperties,
		Supplier<Map<String, String>> moreClientProperties) {

	/**
	 * How many threads may hold one lease in turn: a grant owns 64 fencing tokens.
	 */
	public static final int MAX_HANDOVERS = FencingTokens.PER_GRANT;

	/**
	 * Create new settings.
	 * @param connectString the servers, as ZooKeeper has it: {@code host:port,host:port}
	 * @param instanceId the readable owner, part of every token
	 * @param sessionTimeout how long a session outlives its last sign of life, positive;
	 * the servers may grant another timeout
	 * @param connectionTimeout within which time a server has to accept a new session,
	 * which is opened anew otherwise; positive
	 * @param operationTimeout how long a caller waits for the servers to reply; positive
	 * @param root the node below which all others are kept, an absolute path
	 * @param clockDriftFactor by how much the rates of two clocks may differ, relatively;
	 * 0 to 0.1
	 * @param fencing whether grants carry fencing tokens
	 * @param fencingFloor what all fencing tokens have to exceed, for resources that have
	 * seen greater ones than the clock would give, those of other servers: microseconds
	 * since 1970-01-01T00:00Z, as tokens are; 0 for none
	 * @param acl the access control list of every node that is created
	 * @param credentials what every session authenticates with
	 * @param clientProperties properties of the ZooKeeper client, for example
	 * {@code zookeeper.client.secure}
	 * @param moreClientProperties supplies further properties of the client, before each
	 * new session; those of {@code clientProperties} win
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public ZooKeeperSettings {
		check(sessionTimeout.compareTo(Duration.ZERO) > 0, "session timeout", sessionTimeout);
		check(connectionTimeout.compareTo(Duration.ZERO) > 0, "connection timeout", connectionTimeout);
		check(operationTimeout.compareTo(Duration.ZERO) > 0, "operation timeout", operationTimeout);
		check(clockDriftFactor >= 0 && clockDriftFactor <= 0.1, "clock drift factor", clockDriftFactor);
		check(fencingFloor >= 0, "fencing floor", fencingFloor);
	}

	/** What fencing tokens must not lie below: the clock, or the floor. */
	long minToken(LockClock clock) {
		return Math.max(clock.wallMicros(), this.fencingFloor);
	}

	/** The path that the connect string ends with, empty if there is none. */
	String chroot() {
		int slash = this.connectString.indexOf('/');
		return (slash >= 0) ? this.connectString.substring(slash) : "";
	}

	/** The properties of the next client. */
	Map<String, String> nextClientProperties() {
		Map<String, String> all = new HashMap<>(this.moreClientProperties.get());
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

}
