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

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import io.quorlock.fencing.StaleFencingTokenException;
import io.quorlock.redis.RedisKeys;
import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.sample.nodes.DemoNodes;
import io.quorlock.sample.shop.Seller;
import io.quorlock.sample.shop.StockService;
import io.quorlock.sample.watch.Visit;
import io.quorlock.sample.watch.VisitLog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:browser")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleBrowserTests extends AbstractBrowserTests {

	private static final String FOCUSED = "return document.activeElement.getAttribute('aria-label')";

	/** Whether both lanes of the first time line are red at one time. */
	private static final String BOTH_LANES_ARE_RED = """
			const lanes = document.querySelector('#lanes canvas');
			const pen = Object.assign(document.createElement('canvas'), { width: lanes.width, height: lanes.height })
				.getContext('2d', { willReadFrequently: true });
			const at = (x, y) => pen.getImageData(x, y, 1, 1).data.join();
			pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--bad').trim();
			pen.fillRect(0, 0, 1, 1);
			const red = at(0, 0);
			pen.drawImage(lanes, 0, 0);
			return [...Array(lanes.width).keys()].some((x) => at(x, 15) === red && at(x, 41) === red);
			""";

	/** Of the buttons of the sale, whether a finger would reach them. */
	private static final String IN_SIGHT = """
			return [...document.querySelectorAll('#sale-controls label, #stall')].map((button) => {
				const { left, top, width, height } = button.getBoundingClientRect();
				return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
			});
			""";

	@Autowired
	private DemoNodes nodes;

	@Autowired
	private Buyers buyers;

	@Autowired
	private Fleet fleet;

	@Autowired
	private StockService stock;

	@Autowired
	private VisitLog visits;

	@Autowired
	private MeterRegistry meters;

	private long overlapsBefore;

	@BeforeEach
	void open() {
		open("/", 1440, 960);
		browser.awaitText("#fact-stream", "live");
		browser.awaitText("#fact-nodes", "5 of 5");
		this.stock.restock(Buyers.SKU, 100);
		this.overlapsBefore = this.visits.overlaps();
	}

	@AfterEach
	void stopBuyers() {
		this.buyers.stop();
	}

	@Test
	void aNodeIsStoppedAndTheSaleGoesOn() throws IOException {
		choose("LOCKED");
		awaitSales(3);
		browser.click("[aria-label='Stop node D']");
		browser.awaitText("[data-node='3'] .state", "down");
		browser.awaitText("#fact-nodes", "4 of 5");
		browser.awaitText("#events", "Node D is down");
		awaitSales(3);
		browser.screenshot("node-stopped");
		browser.click("[aria-label='Restart empty node D']");
		browser.awaitText("[data-node='3'] .state", "quarantined");
		browser.awaitText("[data-node='3'] .state", "votes");
		assertThat(this.visits.overlaps()).isEqualTo(this.overlapsBefore);
	}

	@Test
	void aNodeIsStoppedAndRestartedByTheKeyboardAlone() throws IOException {
		tabTo("Stop node E");
		assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle")).isEqualTo("solid");
		browser.screenshot("keyboard");
		browser.press(Keys.ENTER);
		browser.awaitText("[data-node='4'] .state", "down");
		await().until(() -> "Restart empty node E".equals(browser.run(FOCUSED)));
		browser.press(Keys.ENTER);
		browser.awaitText("[data-node='4'] .state", "votes");
	}

	private static void tabTo(String label) {
		for (int i = 0; i < 60 && !label.equals(browser.run(FOCUSED)); i++) {
			browser.press(Keys.TAB);
		}
		assertThat(browser.run(FOCUSED)).isEqualTo(label);
	}

	@Test
	void aNodeIsPausedAndGoesOn() {
		browser.click("[aria-label='Pause node A']");
		browser.awaitText("[data-node='0'] .state", "silent");
		browser.click("[aria-label='Resume node A']");
		browser.awaitText("[data-node='0'] .state", "votes");
	}

	@Test
	void aHolderIsPausedPastItsLeaseAndTheFenceRefusesIt() throws IOException {
		this.nodes.node(2).delay(Duration.ofMillis(50));
		try {
			choose("UNGUARDED");
			awaitSales(12);
			choose("LOCKED");
			browser.click("[aria-label='Stop node D']");
			browser.awaitText("[data-node='2'] .state", "slow");
			awaitSales(12);
			browser.click("#stall");
			browser.awaitText("#lock-list", "lost, still running");
			browser.screenshot("lock-lost");
			browser.awaitText("#events", "lost the lock");
			browser.awaitText("#events", "the fence refused the late write");
			awaitSales(6);
			browser.screenshot("refused");
			assertThat(this.visits.overlaps()).isEqualTo(this.overlapsBefore);
		}
		finally {
			this.nodes.node(3).restartEmpty();
			this.nodes.node(2).delay(Duration.ZERO);
		}
	}

	@Test
	void withoutAQuorumALockIsUnknownAndNotFree() throws IOException {
		choose("LOCKED");
		awaitSales(1);
		choose("NONE");
		browser.awaitText("[data-lock='stock:sneaker'].idle", "Free");
		browser.awaitText("#try", "start buyers without the lock");
		for (String node : List.of("A", "B", "C")) {
			browser.click("[aria-label='Stop node " + node + "']");
		}
		browser.awaitText("#try", "no lock can be granted");
		browser.awaitText("[data-lock='stock:sneaker']", "Unknown: no quorum of nodes replies");
		browser.screenshot("no-quorum");
		for (int node = 0; node < 3; node++) {
			this.nodes.node(node).restartEmpty();
		}
		browser.awaitText("[data-lock='stock:sneaker']", "Free");
	}

	@Test
	void theLeaderIsAskedToLetGo() throws IOException {
		browser.awaitText("#leaders", "shop-");
		browser.click("[aria-label='Ask the leader of scheduler to resign']");
		browser.awaitText("#events", "the leader of scheduler was asked to resign");
		browser.screenshot("let-go");
	}

	@Test
	void controlsAreHiddenWhereTheServersAreNotTheSamples() {
		assertThat(browser.run("""
				return ['sale-controls', 'scenes'].map((id) => document.getElementById(id)).map((part) => {
					part.hidden = true;
					return part.checkVisibility();
				});""")).isEqualTo(List.of(false, false));
	}

	@Test
	void errorOfAControlIsShown() {
		browser.run("window.fetch = () => Promise.resolve(new Response(JSON.stringify({ detail: 'out of order' }), "
				+ "{ status: 500 }))");
		browser.click("#stall");
		browser.awaitText("#events", "The application refused: out of order");
		browser.run("window.fetch = () => Promise.reject(new TypeError())");
		choose("LOCKED");
		browser.awaitText("#events", "The application cannot be reached");
	}

	@Test
	void withoutTheLockTwoAtOnceMeetTheEye() throws IOException {
		choose("UNGUARDED");
		await().until(() -> Integer.parseInt(browser.text("#fact-unguarded")) > 0);
		browser.awaitText("#events", "two at once, since these buyers take no lock");
		browser.awaitText("#stock", "sold too many");
		browser.screenshot("two-at-once");
	}

	/**
	 * Its keys are deleted behind a holder's back, so that a second one gets the lock.
	 * The page goes on to show that, so the pictures of the others are taken before.
	 */
	@Test
	@Order(Integer.MAX_VALUE)
	void twoHoldersAtOnceCannotHide() throws Exception {
		Instance first = this.fleet.instances().get(0);
		Instance second = this.fleet.instances().get(1);
		first.payment().setDuration(Duration.ofSeconds(4));
		second.payment().setDuration(Duration.ofSeconds(2));
		try {
			double lost = lostStockLocks();
			CompletableFuture<?> robbed = sell(first, "the one who is robbed");
			awaitInside(1);
			deleteLock("stock:sneaker");
			CompletableFuture<?> robber = sell(second, "the robber");
			browser.awaitText("#events", "stock:sneaker: two at once");
			browser.awaitText("#fact-overlaps", String.valueOf(this.overlapsBefore + 1));
			browser.awaitText("#events", "shop-1 (the one who is robbed) lost the lock");
			browser.awaitText("[data-lock='stock:sneaker'] .lost", "lost, still running");
			await().until(() -> Boolean.TRUE.equals(browser.run(BOTH_LANES_ARE_RED)));
			browser.screenshot("overlap");
			assertThat(lostStockLocks()).isEqualTo(lost + 1);
			assertThat(heldStock(first)).isZero();
			assertThat(heldStock(second)).isOne();
			assertThat(robber).succeedsWithin(Duration.ofSeconds(60));
			assertThat(robbed).failsWithin(Duration.ofSeconds(60))
				.withThrowableThat()
				.withCauseInstanceOf(StaleFencingTokenException.class);
			browser.awaitText("#events", "the fence refused the late write of shop-1 (the one who is robbed)");
		}
		finally {
			first.payment().setDuration(Duration.ofMillis(2));
			second.payment().setDuration(Duration.ofMillis(2));
		}
	}

	/** As somebody might who does not know what the keys are for. */
	private void deleteLock(String name) throws IOException {
		String command = "DEL " + new RedisKeys("lock:").lockKey(name) + "\r\n";
		for (int node = 0; node < 5; node++) {
			URI address = URI.create("redis://" + this.nodes.node(node).name());
			try (Socket socket = new Socket(address.getHost(), address.getPort())) {
				socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
				assertThat(socket.getInputStream().readNBytes(4)).asString(StandardCharsets.US_ASCII)
					.isEqualTo(":1\r\n");
			}
		}
	}

	private static CompletableFuture<?> sell(Instance instance, String buyer) {
		Seller seller = instance.seller(StockService.class);
		return CompletableFuture.supplyAsync(() -> seller.sell(Buyers.SKU, buyer));
	}

	private static long heldStock(Instance instance) {
		return instance.inspector()
			.held()
			.stream()
			.filter((hold) -> hold.names().stream().anyMatch((name) -> name.startsWith("stock:")))
			.count();
	}

	private void awaitInside(int count) {
		await().pollInterval(Duration.ofMillis(10))
			.until(() -> this.visits.open().stream().filter(Visit::isLocked).count() == count);
	}

	private double lostStockLocks() {
		return this.meters.find("distributed.lock.lost")
			.tag("lock", "stock")
			.counters()
			.stream()
			.mapToDouble(Counter::count)
			.sum();
	}

	@ParameterizedTest
	@CsvSource({ "360, light", "360, dark", "800, light", "1200, dark", "1600, light", "1600, dark" })
	void thePageFitsAndItsTextCanBeRead(int width, String colours) throws IOException {
		browser.size(width, 960);
		browser.colours(colours);
		choose("LOCKED");
		awaitSales(1);
		browser.run("scrollTo(0, 0)");
		browser.screenshot("page-" + width + "-" + colours);
		assertThatItFitsAndCanBeRead();
	}

	@ParameterizedTest
	@ValueSource(ints = { 360, 390 })
	void onAPhoneTheButtonsAreInSightWhereverThePageIsScrolledTo(int width) throws IOException {
		choose("LOCKED");
		awaitSales(1);
		browser.awaitText("#fleet", "shop-1 and shop-2 are two instances of the shop");
		browser.size(width, 700);
		for (double place : List.of(0.0, 0.5, 1.0)) {
			browser.run("scrollTo(0, arguments[0] * document.body.scrollHeight)", place);
			assertThat(browser.run(IN_SIGHT)).as("at " + place).isEqualTo(List.of(true, true, true, true));
		}
		browser.screenshot("phone-end-" + width);
	}

	private void choose(String buyers) {
		browser.click("label:has(input[value='" + buyers + "'])");
	}

	private void awaitSales(int more) {
		int before = sold();
		await().atMost(Duration.ofSeconds(60)).until(() -> sold() >= before + more);
	}

	private static int sold() {
		Object sold = browser.run("return [...document.querySelectorAll('#stock .article')]"
				+ ".find((one) => one.textContent.startsWith('sneaker')).textContent.match(/(\\d+) of/)[1]");
		return Integer.parseInt(String.valueOf(sold));
	}

}
