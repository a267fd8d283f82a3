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

package io.quorlock.autoconfigure.diagnostics;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Fails the start on a version of Spring Boot that is not supported, before a missing
 * class does. Uses no API that differs between versions.
 */
class SpringBootVersionCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

	private static final int MAJOR = 4;

	private static final int MINOR = 1;

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		check(SpringBootVersion.getVersion());
	}

	static void check(@Nullable String version) {
		if (version != null && isTooOld(version)) {
			throw new UnsupportedSpringBootVersionException(version);
		}
	}

	private static boolean isTooOld(String version) {
		String[] parts = version.split("[.-]");
		try {
			int major = Integer.parseInt(parts[0]);
			return major < MAJOR || (major == MAJOR && parts.length > 1 && Integer.parseInt(parts[1]) < MINOR);
		}
		catch (NumberFormatException ex) {
			return false;
		}
	}

}
