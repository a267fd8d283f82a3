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

package example;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;

@Component
public class NightlyReport {

	static final AtomicInteger RUNS = new AtomicInteger();

	@Scheduled(fixedDelayString = "1h", initialDelayString = "${first-run:0s}")
	@DistributedLock(name = "nightly-report", waitTime = "0s", holdAtLeast = "30s", onContention = OnContention.SKIP)
	public void write() {
		RUNS.incrementAndGet();
	}

}
