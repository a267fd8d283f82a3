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

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

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

/**
 * Makes a store of connection details. A class of its own, since ZooKeeper may be absent.
 */
final class ZooKeeperBackend {

	private static final Log logger = LogFactory.getLog(ZooKeeperBackend.class);

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
		ZooKeeperLeaseStore created = new ZooKeeperLeaseStore(settings(), clock, timer, all(observers));
		this.store.set(created);
		return created;
	}

	/** The bundle is read for every session, since it may be reloaded. */
	ZooKeeperSettings settings() {
		ZooKeeperTls tls = new ZooKeeperTls();
		Supplier<Map<String, String>> tlsProperties = (sslBundle() != null)
				? () -> tls.clientProperties(Objects.requireNonNull(sslBundle())) : Map::of;
		return new ZooKeeperSettingsFactory(this.properties).create(connectString(), this.instanceId.get(),
				tlsProperties);

	}

	/** One that fails keeps no reply from the others. */
	private static StoreObserver all(List<StoreObserver> observers) {
		return (node, operation, outcome, error, nanos) -> {
			for (StoreObserver observer : observers) {
				try {
					observer.onReply(node, operation, outcome, error, nanos);
				}
				catch (RuntimeException | Error ex) {
					logger.error("Observer " + observer + " of lock nodes failed; mend it: it must not throw", ex);
				}
			}
		};
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

}
