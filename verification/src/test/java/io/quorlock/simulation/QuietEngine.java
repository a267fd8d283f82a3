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

package io.quorlock.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Keeps the engine from logging the faults of thousands of schedules.
 */
final class QuietEngine implements BeforeAllCallback, AfterAllCallback {

	private static final Logger ENGINE = (Logger) LoggerFactory.getLogger("io.quorlock");

	private Level level = Level.INFO;

	@Override
	public void beforeAll(ExtensionContext context) {
		this.level = ENGINE.getEffectiveLevel();
		ENGINE.setLevel(Level.OFF);
	}

	@Override
	public void afterAll(ExtensionContext context) {
		ENGINE.setLevel(this.level);
	}

}
