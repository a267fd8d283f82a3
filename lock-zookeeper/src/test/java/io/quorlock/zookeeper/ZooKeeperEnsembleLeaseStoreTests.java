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

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.LeaseStoreContract;

/**
 * The contract of stores on an ensemble of three, through a follower.
 */
@Tag("long")
class ZooKeeperEnsembleLeaseStoreTests extends LeaseStoreContract {

	@AutoClose
	private static EmbeddedZooKeeperEnsemble ensemble = EmbeddedZooKeeperEnsemble.start(3);

	@Override
	protected LeaseStore startStore(String instanceId) {
		return ZooKeeperStores.start(ensemble.followers().get(0).connectString(), instanceId);
	}

}
