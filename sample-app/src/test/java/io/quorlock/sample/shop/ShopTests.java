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

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.engine.LockInspector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.datasource.url=jdbc:h2:mem:test", "distributed-lock.wait-time=500ms" })
class ShopTests {

	private RestTestClient http;

	@Autowired
	private StockService stock;

	@BeforeEach
	void connect(@LocalServerPort int port) {
		this.http = RestTestClient.bindToServer().baseUrl("http://127.0.0.1:" + port).build();
	}

	@Test
	void anOrderTakesOnePieceAndHasAFencingToken() {
		this.stock.restock("shoe", 2);
		order("shoe", "Eve").expectStatus()
			.isCreated()
			.expectBody()
			.jsonPath("$.sku")
			.isEqualTo("shoe")
			.jsonPath("$.buyer")
			.isEqualTo("Eve")
			.jsonPath("$.fencingToken")
			.value(Long.class, (token) -> assertThat(token).isPositive());
		this.http.get()
			.uri("/stock/shoe")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.json("{\"sku\":\"shoe\",\"pieces\":1,\"delivered\":2,\"sold\":1}");
	}

	@Test
	void whatIsSoldOutIsAConflict() {
		this.stock.restock("hat", 0);
		problem(order("hat", "Eve"), 409, "'hat' is sold out");
	}

	/** Neither sold out, nor what another request has to do with it. */
	@Test
	void whatAnotherRequestIsWorkingOnIsAConflictThatNamesNoHolder(@Autowired LockTemplate locks) {
		this.stock.restock("cap", 2);
		try (LockHandle held = locks.acquire(LockRequest.of("stock:cap"))) {
			assertThat(held.isHeld()).isTrue();
			order("cap", "Eve").expectStatus()
				.isEqualTo(409)
				.expectBody(String.class)
				.value((body) -> assertThat(body).contains("Being worked on").doesNotContain("shop-1", "stock:"));
		}
	}

	/** The order may be stored already: a client that tries again buys twice. */
	@Test
	void clientIsNotAskedToTryAgainWhenTheLockWasLost(@Autowired Payment payment, @Autowired LockInspector inspector) {
		this.stock.restock("sock", 2);
		payment.setDuration(Duration.ofSeconds(2));
		try {
			CompletableFuture<RestTestClient.ResponseSpec> order = CompletableFuture
				.supplyAsync(() -> order("sock", "Eve"));
			await().until(() -> inspector.held().stream().anyMatch((hold) -> hold.names().contains("stock:sock")));
			inspector.forceRelease("stock:sock").join();
			order.join().expectStatus().isEqualTo(500).expectHeader().doesNotExist("Retry-After");
		}
		finally {
			payment.setDuration(Duration.ofMillis(2));
		}
	}

	@Test
	void orderThatCannotBeStoredTakesNoPiece() {
		this.stock.restock("shoe", 2);
		order("shoe", "E".repeat(201)).expectStatus().is5xxServerError();
		this.http.get()
			.uri("/stock/shoe")
			.exchange()
			.expectBody()
			.json("{\"sku\":\"shoe\",\"pieces\":2,\"delivered\":2,\"sold\":0}");
	}

	@Test
	void whatIsNotSoldIsNotFound() {
		problem(order("unicorn", "Eve"), 404, "There is no article 'unicorn'");
	}

	@Test
	void anOrderWithoutABuyerIsBad() {
		problem(order("shoe", " "), 400, "An order needs a buyer");
	}

	private RestTestClient.ResponseSpec order(String sku, String buyer) {
		return this.http.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("sku", sku, "buyer", buyer))
			.exchange();
	}

	private static void problem(RestTestClient.ResponseSpec response, int status, String detail) {
		response.expectStatus().isEqualTo(status).expectBody().jsonPath("$.detail").isEqualTo(detail);
	}

}
