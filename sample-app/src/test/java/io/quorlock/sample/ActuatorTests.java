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

package io.quorlock.sample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.servlet.client.RestTestClient;

import io.quorlock.sample.shop.StockService;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:test")
class ActuatorTests {

	private RestTestClient http;

	@Autowired
	private StockService stock;

	@BeforeEach
	void connect(@LocalServerPort int port) {
		this.http = RestTestClient.bindToServer().baseUrl("http://127.0.0.1:" + port).build();
		this.stock.restock("shoe", 1);
		this.stock.sell("shoe", "Eve");
	}

	@Test
	void theHealthReportsTheLocks() {
		json("/actuator/health").jsonPath("$.components.distributedLock.status").isEqualTo("UP");
	}

	@Test
	void theLocksAreListed() {
		json("/actuator/locks").jsonPath("$.nodes.length()").isEqualTo(5);
	}

	@Test
	void theMetersAreThere() {
		json("/actuator/metrics/distributed.lock.acquire").jsonPath("$.name").isEqualTo("distributed.lock.acquire");
		String scraped = this.http.get()
			.uri("/actuator/prometheus")
			.exchange()
			.expectStatus()
			.isOk()
			.returnResult(String.class)
			.getResponseBody();
		assertThat(scraped).contains("distributed_lock_acquire_seconds_count");
	}

	private RestTestClient.BodyContentSpec json(String uri) {
		return this.http.get().uri(uri).exchange().expectStatus().isOk().expectBody();
	}

}
