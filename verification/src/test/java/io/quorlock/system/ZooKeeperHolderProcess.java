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

package io.quorlock.system;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

import io.quorlock.LockMode;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;
import io.quorlock.zookeeper.TestZooKeeperSettings;
import io.quorlock.zookeeper.ZooKeeperLeaseStore;
import io.quorlock.zookeeper.ZooKeeperSettings;

/**
 * Takes a name from ZooKeeper and asks whether it is held, over and over, until it is
 * not. Then says when it last heard that it was.
 */
final class ZooKeeperHolderProcess {

	private ZooKeeperHolderProcess() {
	}

	/** Arguments: connect string, session timeout in milliseconds, name. */
	public static void main(String[] args) throws Exception {
		SystemClock clock = new SystemClock();
		ZooKeeperLeaseStore store = new ZooKeeperLeaseStore(TestZooKeeperSettings.with(args[0], "holder@test:1")
			.set(ZooKeeperSettings::sessionTimeout, Duration.ofMillis(Long.parseLong(args[1])))
			.build(), clock, new TimerThread("holder"), List.of());
		store.start();
		Grant grant = acquire(store, clock, args[2]);
		System.out.println("HELD " + grant.owner());
		long lastHeld = System.currentTimeMillis();
		// The time is read first: at that time, at least, it was held.
		for (long now = lastHeld; grant.isValid(); now = System.currentTimeMillis()) {
			lastHeld = now;
			LockSupport.parkNanos(1_000_000);
		}
		System.out.println("LOST " + lastHeld);
		store.close();
	}

	private static Grant acquire(ZooKeeperLeaseStore store, SystemClock clock, String name) {
		CompletableFuture<Grant> granted = new CompletableFuture<>();
		long halfAMinute = Duration.ofSeconds(30).toNanos();
		Claim claim = new Claim(List.of(name), LockMode.EXCLUSIVE, 0, false, halfAMinute, true, 1, clock.nanoTime(),
				halfAMinute, Integer.MAX_VALUE, false, false);
		store.contend(claim, new Contender.Listener() {

			@Override
			public void onWaiting() {
			}

			@Override
			public void onGranted(Grant grant) {
				grant.keep((reason) -> {
				});
				granted.complete(grant);
			}

			@Override
			public void onFailed(ClaimFailure failure) {
				granted.completeExceptionally(new IllegalStateException(failure.description()));
			}

		}).start();
		return granted.join();
	}

}
