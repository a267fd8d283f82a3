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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.time.LockTimer;

/**
 * Takes a lock and asks whether it is held, over and over, until it is not. Timers that
 * are late by a pause wait until it has asked.
 */
final class PausedHolderProcess {

	/** By so much no timer is late on a busy machine, but after the pause. */
	private static final long PAUSE_NANOS = 2_500_000_000L;

	private PausedHolderProcess() {
	}

	/** Arguments: lease in milliseconds, node URIs. */
	public static void main(String[] args) throws Exception {
		List<String> uris = List.of(args).subList(1, args.length);
		Duration lease = Duration.ofMillis(Long.parseLong(args[0]));
		CountDownLatch asked = new CountDownLatch(1);
		RealEngine engine = RealEngine.start(RealEngine.settings("holder@test:1", lease, Duration.ofSeconds(1)), uris,
				(timer) -> afterPause(timer, asked));
		LockHandle lock = engine.template.acquire(LockRequest.of("order:42"));
		System.out.println("HELD " + lock.fencingToken());
		long lastHeld = System.nanoTime();
		while (lock.isHeld()) {
			lastHeld = System.nanoTime();
			LockSupport.parkNanos(10_000_000);
		}
		long gapMillis = (System.nanoTime() - lastHeld) / 1_000_000;
		String reply = "nothing";
		try {
			lock.ensureHeld();
		}
		catch (LockLostException ex) {
			reply = "LockLostException";
		}
		System.out.println("LOST " + gapMillis + " " + reply + " " + (asked.getCount() == 1));
		asked.countDown();
		engine.close();
	}

	private static LockTimer afterPause(LockTimer timer, CountDownLatch asked) {
		return (delayNanos, task) -> {
			long due = System.nanoTime() + delayNanos;
			return timer.schedule(delayNanos, () -> {
				if (System.nanoTime() - due > PAUSE_NANOS) {
					try {
						asked.await();
					}
					catch (InterruptedException ex) {
						Thread.currentThread().interrupt();
					}
				}
				task.run();
			});
		};
	}

}
