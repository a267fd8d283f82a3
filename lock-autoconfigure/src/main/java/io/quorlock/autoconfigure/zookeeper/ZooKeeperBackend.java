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

package io.quorlock.autoconfigure.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

import io.quorlock.autoconfigure.InvalidLockConfigurationException;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;
import io.quorlock.autoconfigure.embedded.EmbeddedServersConfiguration.EmbeddedLockZooKeeperConnectionDetails;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;
import io.quorlock.zookeeper.ZooKeeperLeaseStore;
import io.quorlock.zookeeper.ZooKeeperSettings;

import static io.quorlock.autoconfigure.InvalidLockConfigurationException.require;

/**
 * Makes a store of connection details and properties. A class of its own, since ZooKeeper
 * may be absent.
 */
final class ZooKeeperBackend {

	private static final String PREFIX = "distributed-lock.zookeeper.";

	/**
	 * A write goes to the disks of a majority: a caller waits at least this long for it.
	 */
	private static final Duration MIN_OPERATION_TIMEOUT = Duration.ofSeconds(1);

	private static final String PERMISSIONS = "rwcda";

	/** Behind a whole entry, a comma and the scheme of the next. */
	private static final Pattern ANOTHER_ENTRY = Pattern.compile("^[^:]+:.*:[" + PERMISSIONS + "]*\\s*,\\s*[\\w-]+:");

	private final LockProperties properties;

	private final List<LockZooKeeperConnectionDetails> details;

	private final Supplier<String> instanceId;

	private final AtomicReference<@Nullable ZooKeeperLeaseStore> store = new AtomicReference<>();

	ZooKeeperBackend(LockProperties properties, List<LockZooKeeperConnectionDetails> details,
			Supplier<String> instanceId) {
		this.properties = properties;
		this.details = details;
		this.instanceId = instanceId;
	}

	LockBackend create() {
		boolean local = this.details.stream().allMatch(EmbeddedLockZooKeeperConnectionDetails.class::isInstance);
		return new LockBackend("zookeeper", List.of(), this::notes, local, this::createStore);
	}

	private LeaseStore createStore(LockClock clock, LockTimer timer, List<StoreObserver> observers) {
		ZooKeeperLeaseStore created = new ZooKeeperLeaseStore(settings(), clock, timer, observers);
		this.store.set(created);
		return created;
	}

	/** The bundle is read for every session, since it may be reloaded. */
	ZooKeeperSettings settings() {
		ZooKeeperTls tls = new ZooKeeperTls();
		Supplier<Map<String, String>> tlsProperties = (sslBundle() != null)
				? () -> tls.clientProperties(Objects.requireNonNull(sslBundle())) : Map::of;
		LockProperties.ZooKeeper zooKeeper = this.properties.zookeeper();
		checkConnectString(connectString());
		checkRoot(zooKeeper.root());
		checkTimeout("session-timeout", zooKeeper.sessionTimeout(),
				"Use a time between 2 and 20 ticks of the servers, for example 15s.");
		checkTimeout("connection-timeout", zooKeeper.connectionTimeout(), "Use some seconds, for example 15s.");
		checkAbilities();
		return new ZooKeeperSettings(connectString(), this.instanceId.get(), zooKeeper.sessionTimeout(),
				zooKeeper.connectionTimeout(), operationTimeout(this.properties), zooKeeper.root(),
				this.properties.clockDriftFactor(), this.properties.fencing().enabled(),
				this.properties.fencing().floorOrZero(),
				zooKeeper.acl().isEmpty() ? ZooDefs.Ids.OPEN_ACL_UNSAFE
						: zooKeeper.acl().stream().map(ZooKeeperBackend::acl).toList(),
				zooKeeper.auth().stream().map(ZooKeeperBackend::credentials).toList(),
				Map.copyOf(zooKeeper.clientProperties()), tlsProperties);
	}

	private String connectString() {
		return this.details.stream()
			.map(LockZooKeeperConnectionDetails::getConnectString)
			.collect(Collectors.joining(","));
	}

	private @Nullable SslBundle sslBundle() {
		return this.details.stream()
			.map(LockZooKeeperConnectionDetails::getSslBundle)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/** What the health says of the session. */
	private Map<String, String> notes() {
		ZooKeeperLeaseStore current = this.store.get();
		return (current != null) ? Map.of(connectString(), current.describeSession()) : Map.of();
	}

	static Duration operationTimeout(LockProperties properties) {
		Duration configured = properties.connection().operationTimeout();
		return (configured.compareTo(MIN_OPERATION_TIMEOUT) > 0) ? configured : MIN_OPERATION_TIMEOUT;
	}

	private static void checkConnectString(String connectString) {
		String reason = "no server is listed";
		int chroot = connectString.indexOf('/');
		require(chroot < 0 || connectString.indexOf(',', chroot) < 0, PREFIX + "connect-string", connectString,
				"servers follow the chroot, and would be taken for a part of it",
				"List the servers as host1:2181,host2:2181,host3:2181. A chroot follows the last one.");
		if (!connectString.isBlank()) {
			try {
				if (!new ConnectStringParser(connectString).getServerAddresses().isEmpty()) {
					return;
				}
			}
			catch (IllegalArgumentException ex) {
				reason = String.valueOf(ex.getMessage());
			}
		}
		throw invalid("connect-string", connectString, reason, "List the servers as host1:2181,host2:2181,host3:2181.");
	}

	private static void checkRoot(String root) {
		try {
			PathUtils.validatePath(root);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("root", root, String.valueOf(ex.getMessage()), "Use an absolute path such as /quorlock.");
		}
	}

	private static void checkTimeout(String property, Duration timeout, String action) {
		require(timeout.toMillis() > 0 && timeout.toMillis() <= Integer.MAX_VALUE, PREFIX + property,
				timeout.toString(), "it is not positive, or too long", action);
	}

	private void checkAbilities() {
		// 64 fencing tokens belong to one grant.
		int handovers = this.properties.localHandover().max();
		require(handovers <= ZooKeeperSettings.MAX_HANDOVERS, "distributed-lock.local-handover.max",
				Integer.toString(handovers),
				"on ZooKeeper at most %d threads hold a lock in turn".formatted(ZooKeeperSettings.MAX_HANDOVERS),
				"Use a smaller number.");
		// A claim that waits cannot ask for a lease that is kept unused.
		Duration time = this.properties.retainTime();
		require(time.isZero(), "distributed-lock.retain-time", time.toString(),
				"on ZooKeeper, other instances cannot ask for a lease that is kept unused",
				"Remove the property, or keep the locks on Redis nodes.");
	}

	private static ZooKeeperSettings.Credentials credentials(String auth) {
		int colon = auth.indexOf(':');
		if (colon <= 0) {
			// The value may be a secret.
			throw invalid("auth", "...", "a scheme is missing",
					"Write each as scheme:secret, as digest:user:password.");
		}
		return new ZooKeeperSettings.Credentials(auth.substring(0, colon),
				auth.substring(colon + 1).getBytes(StandardCharsets.UTF_8));
	}

	private static ACL acl(String entry) {
		if (ANOTHER_ENTRY.matcher(entry).find()) {
			throw invalid("acl", entry, "it is several entries in one value",
					"Write them as a list, one entry each: an id may contain commas.");
		}
		int first = entry.indexOf(':');
		int last = entry.lastIndexOf(':');
		if (first <= 0 || last == first) {
			throw invalidAcl(entry);
		}
		return new ACL(permissions(entry, entry.substring(last + 1)),
				new Id(entry.substring(0, first), entry.substring(first + 1, last)));
	}

	private static int permissions(String entry, String letters) {
		int permissions = 0;
		for (char letter : letters.toCharArray()) {
			permissions |= switch (letter) {
				case 'r' -> ZooDefs.Perms.READ;
				case 'w' -> ZooDefs.Perms.WRITE;
				case 'c' -> ZooDefs.Perms.CREATE;
				case 'd' -> ZooDefs.Perms.DELETE;
				case 'a' -> ZooDefs.Perms.ADMIN;
				default -> throw invalidAcl(entry);
			};
		}
		return permissions;
	}

	private static InvalidLockConfigurationException invalidAcl(String entry) {
		return invalid("acl", entry, "it is not scheme:id:permissions",
				"Write each as scheme:id:permissions, the permissions some of '" + PERMISSIONS + "'.");
	}

	private static InvalidLockConfigurationException invalid(String property, String value, String reason,
			String action) {
		return new InvalidLockConfigurationException(PREFIX + property, value, reason, action);
	}

}
