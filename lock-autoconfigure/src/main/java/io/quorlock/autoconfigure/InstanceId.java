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

package io.quorlock.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.springframework.core.env.Environment;

/**
 * The name of this instance, by default {@code shop@host-7:4242}.
 */
final class InstanceId {

	private InstanceId() {
	}

	static String of(LockProperties properties, Environment environment) {
		return (properties.instanceId() != null) ? properties.instanceId()
				: environment.getProperty("spring.application.name", "application") + "@" + host() + ":"
						+ ProcessHandle.current().pid();
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

}
