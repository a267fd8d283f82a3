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

package io.quorlock.sample.shop;

import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.datasource.url=jdbc:h2:mem:unreachable", "distributed-lock.nodes=redis://127.0.0.1:1",
				"distributed-lock.wait-time=200ms" })
class UnreachableNodesTests {

	private RestTestClient http;

	@BeforeEach
	void connect(@LocalServerPort int port) {
		this.http = RestTestClient.bindToServer().baseUrl("http://127.0.0.1:" + port).build();
	}

	@Test
	void withoutAQuorumNothingIsSoldAndClientsAreAskedToTryAgain() {
		post("/orders", Map.of("sku", "sneaker", "buyer", "Eve")).expectStatus()
			.isEqualTo(503)
			.expectHeader()
			.valueEquals("Retry-After", "1")
			.expectBody(String.class)
			.value((body) -> assertThat(body).contains("Locks unavailable").doesNotContain("127.0.0.1", "stock:"));
		this.http.get().uri("/stock/sneaker").exchange().expectBody().jsonPath("$.sold").isEqualTo(0);
	}

	@Test
	void nodesThatAreNotTheSamplesOwnCannotBeControlled() {
		post("/console/nodes/0", Map.of("action", "STOP")).expectStatus().isNotFound();
		post("/console/buyers", Map.of("kind", "LOCKED")).expectStatus().isNotFound();
	}

	private RestTestClient.ResponseSpec post(String uri, Map<String, String> body) {
		return this.http.post().uri(uri).contentType(MediaType.APPLICATION_JSON).body(body).exchange();
	}

}
