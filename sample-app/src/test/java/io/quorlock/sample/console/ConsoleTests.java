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

package io.quorlock.sample.console;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Predicate;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.shop.StockService;
import io.quorlock.sample.shop.Warehouse;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:test")
@Timeout(120)
class ConsoleTests {

	private final HttpClient http = HttpClient.newHttpClient();

	private String url;

	@Autowired
	private StockService stock;

	@Autowired
	private Warehouse warehouse;

	@Autowired
	private Fleet fleet;

	@BeforeEach
	void connect(@LocalServerPort int port) {
		this.url = "http://127.0.0.1:" + port;
	}

	@Test
	void thePageAndWhatItNeedsComeFromHereAlone() throws Exception {
		String page = get("/").body();
		assertThat(page).contains("<title>Quorlock console</title>", "default-src 'self'").doesNotContain("//");
		for (String part : new String[] { "/console.css", "/console.js", "/favicon.svg", "/console/nodes.js",
				"/console/groups.js", "/console/ring.js", "/console/leaders.js", "/console/locks.js",
				"/console/queue.js", "/console/scenes.js", "/console/words.js", "/console/timeline.js",
				"/console/sale.js", "/console/visits.js", "/console/events.js", "/console/hint.js",
				"/console/dom.js" }) {
			assertThat(get(part).statusCode()).as(part).isEqualTo(200);
		}
	}

	@Test
	@Tag("long")
	void aStoppedNodeIsDownAndARestartedOneWaitsInQuarantine() throws Exception {
		JsonNode state = await((one) -> voting(one) == 5);
		assertThat(state.at("/quorum").asInt()).isEqualTo(3);
		assertThat(state.at("/controllable").asBoolean()).isTrue();
		assertThat(post("/console/nodes/4", "{\"action\":\"STOP\"}")).isEqualTo(204);
		await((one) -> stateOf(one, 4).equals("down"));
		assertThat(post("/console/nodes/4", "{\"action\":\"RESTART\"}")).isEqualTo(204);
		await((one) -> stateOf(one, 4).equals("quarantined") && one.at("/nodes/4/votesInMillis").asLong() > 0);
		await((one) -> voting(one) == 5);
	}

	@Test
	void aHolderThatIsPausedPastItsLeaseLosesTheLockAndIsRefused() throws Exception {
		await((one) -> voting(one) >= 3);
		this.stock.restock(Buyers.SKU, 100);
		assertThat(post("/console/buyers", "{\"kind\":\"LOCKED\"}")).isEqualTo(204);
		await((one) -> one.at("/buyers").asString().equals("locked")
				&& visit(one, (visit) -> visit.at("/outcome").asString().equals("sold")));
		assertThat(post("/console/stall", "{}")).isEqualTo(204);
		JsonNode end = await((one) -> visit(one, (visit) -> visit.at("/outcome").asString().equals("refused")
				&& visit.at("/lost").asDouble() > visit.at("/entered").asDouble()));
		assertThat(end.at("/overlaps").asInt()).isZero();
		assertThat(post("/console/buyers", "{\"kind\":\"NONE\"}")).isEqualTo(204);
	}

	@Test
	void leaderOfEachRoleIsShown() throws Exception {
		JsonNode state = await((one) -> one.at("/leaders/0/leader").asString("").startsWith("shop-"));
		assertThat(state.at("/leaders/0/role").asString()).isEqualTo("scheduler");
	}

	@Test
	void theLeaderThatIsAskedToLetGoIsFollowedByAnother() throws Exception {
		assertThat(this.fleet.instances()).as("candidates").hasSize(2);
		String leader = await((one) -> one.at("/leaders/0/leader").asString("").startsWith("shop-"))
			.at("/leaders/0/leader")
			.asString();
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> post("/console/leaders/scheduler/let-go", "{}") == 204);
		await((one) -> one.at("/leaders/0/leader").asString("").startsWith("shop-")
				&& !one.at("/leaders/0/leader").asString().equals(leader));
		assertThat(post("/console/leaders/nothing/let-go", "{}")).isEqualTo(409);
	}

	@Test
	@Tag("long")
	void saleRestocksByItselfWhenAllIsSold() throws Exception {
		await((one) -> voting(one) >= 3);
		this.stock.restock(Buyers.SKU, 2);
		assertThat(post("/console/buyers", "{\"kind\":\"LOCKED\"}")).isEqualTo(204);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> this.warehouse.stock(Buyers.SKU).delivered() == 100);
		assertThat(post("/console/buyers", "{\"kind\":\"NONE\"}")).isEqualTo(204);
	}

	@Test
	void aPageFromElsewhereCannotPressTheButtons() throws Exception {
		HttpRequest form = HttpRequest.newBuilder(URI.create(this.url + "/console/stall"))
			.header("Content-Type", "text/plain")
			.POST(BodyPublishers.ofString("{}"))
			.build();
		assertThat(this.http.send(form, BodyHandlers.discarding()).statusCode()).isEqualTo(415);
		HttpRequest preflight = HttpRequest.newBuilder(URI.create(this.url + "/console/stall"))
			.header("Origin", "http://elsewhere.example")
			.header("Access-Control-Request-Method", "POST")
			.header("Access-Control-Request-Headers", "content-type")
			.method("OPTIONS", BodyPublishers.noBody())
			.build();
		assertThat(this.http.send(preflight, BodyHandlers.discarding())
			.headers()
			.firstValue("Access-Control-Allow-Origin")).isEmpty();
	}

	@Test
	void aNodeThatIsNotThereIsNotFound() throws Exception {
		assertThat(post("/console/nodes/5", "{\"action\":\"STOP\"}")).isEqualTo(404);
	}

	/** Reads states from the stream until one fits, for a minute at most. */
	private JsonNode await(Predicate<JsonNode> wanted) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.url + "/console/events")).build();
		JsonMapper json = new JsonMapper();
		long started = System.nanoTime();
		try (BufferedReader lines = new BufferedReader(new InputStreamReader(
				this.http.send(request, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.startsWith("data:")) {
					JsonNode state = json.readTree(line.substring("data:".length()));
					if (wanted.test(state)) {
						return state;
					}
					assertThat(Duration.ofNanos(System.nanoTime() - started)).as(line)
						.isLessThan(Duration.ofMinutes(1));
				}
			}
		}
		throw new AssertionError("The stream has ended");
	}

	private static long voting(JsonNode state) {
		return state.at("/nodes")
			.valueStream()
			.filter((node) -> !node.at("/state").asString().equals("down"))
			.filter((node) -> !node.at("/state").asString().equals("quarantined"))
			.count();
	}

	private static String stateOf(JsonNode state, int node) {
		return state.at("/nodes/" + node + "/state").asString();
	}

	private static boolean visit(JsonNode state, Predicate<JsonNode> wanted) {
		return state.at("/visits").valueStream().anyMatch(wanted);
	}

	private HttpResponse<String> get(String path) throws Exception {
		return this.http.send(HttpRequest.newBuilder(URI.create(this.url + path)).build(), BodyHandlers.ofString());
	}

	private int post(String path, String json) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(this.url + path))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(json))
			.build();
		return this.http.send(request, BodyHandlers.discarding()).statusCode();
	}

}
