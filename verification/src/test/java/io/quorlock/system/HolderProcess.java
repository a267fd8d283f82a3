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

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;

/**
 * Takes a lock and keeps it until it is killed.
 */
final class HolderProcess {

	private HolderProcess() {
	}

	/** Arguments: lease in milliseconds, node URIs. */
	public static void main(String[] args) throws Exception {
		List<String> uris = List.of(args).subList(1, args.length);
		Duration lease = Duration.ofMillis(Long.parseLong(args[0]));
		RealEngine engine = RealEngine.start(RealEngine.settings("holder@test:1", lease, Duration.ofSeconds(1)), uris);
		LockHandle lock = engine.template.acquire(LockRequest.of("order:42"));
		System.out.println("HELD " + lock.fencingToken());
		Thread.currentThread().join();
	}

}
