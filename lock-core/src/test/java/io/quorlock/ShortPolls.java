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

package io.quorlock;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.Extension;

/**
 * Shortens the default poll interval of Awaitility from 100 ms to 10. JUnit detects this
 * extension in every module that has the tests of this one on its class path. A condition
 * that moves a simulated clock sets an interval of its own, since the servers that it
 * waits for run in real time.
 */
public class ShortPolls implements Extension {

	public ShortPolls() {
		Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
	}

}
