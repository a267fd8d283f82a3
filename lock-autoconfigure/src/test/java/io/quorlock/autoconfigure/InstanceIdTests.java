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

import org.junit.jupiter.api.Test;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the instance id.
 */
class InstanceIdTests {

	private final MockEnvironment environment = new MockEnvironment();

	@Test
	void instanceIsKnownByApplicationHostAndProcess() throws Exception {
		String process = "@" + InetAddress.getLocalHost().getHostName() + ":" + ProcessHandle.current().pid();
		assertThat(LockSettingsFactory.instanceId(TestProperties.bind(), this.environment))
			.isEqualTo("application" + process);
		this.environment.setProperty("spring.application.name", "shop");
		assertThat(LockSettingsFactory.instanceId(TestProperties.bind(), this.environment)).isEqualTo("shop" + process);
	}

	@Test
	void idThatIsConfiguredIsUsed() {
		assertThat(LockSettingsFactory.instanceId(TestProperties.bind("instance-id", "shop-1"), this.environment))
			.isEqualTo("shop-1");
		assertThat(LockSettingsFactory.instanceId(TestProperties.bind(), this.environment))
			.isEqualTo(LockSettingsFactory.instanceId(TestProperties.bind(), this.environment));
	}

}
