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

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

class ExampleApplicationTests {

	@Test
	void oneOfTwoInstancesRuns() throws InterruptedException {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3);
				ConfigurableApplicationContext first = start(redis);
				ConfigurableApplicationContext second = start(redis)) {
			TimeUnit.SECONDS.sleep(8);
			assertThat(NightlyReport.RUNS).hasValue(1);
		}
	}

	private static ConfigurableApplicationContext start(EmbeddedRedis redis) {
		return new SpringApplicationBuilder(ExampleApplication.class)
			.properties("distributed-lock.nodes=" + String.join(",", redis.uris()),
					"distributed-lock.restart-quarantine=0s", "first-run=4s")
			.run();
	}

}
