package io.quorlock.sample.console;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import io.quorlock.sample.nodes.DemoNodes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:browser")
class ConsoleBrowserTests {

	private static final String OVERFLOW = "const { scrollWidth, clientWidth } = document.documentElement;"
			+ "return scrollWidth - clientWidth";

	private static final Browser browser = new Browser();

	@Autowired
	private DemoNodes nodes;

	@Autowired
	private Buyers buyers;

	@AfterAll
	static void closeBrowser() {
		browser.close();
	}

	@BeforeEach
	void open(@LocalServerPort int port) {
		browser.start();
		browser.size(1440, 960);
		browser.colours("light");
		browser.open("http://127.0.0.1:" + port);
		browser.awaitText("#fact-stream", "live");
		browser.awaitText("#fact-nodes", "5 of 5 count");
		browser.click("#restock");
	}

	@AfterEach
	void nothingWasComplainedAbout() {
		this.buyers.stop();
		assertThat(browser.complaints()).isEmpty();
	}

	@Test
	void aNodeIsStoppedAndTheSaleGoesOn() throws IOException {
		choose("LOCKED");
		awaitSales(3);
		browser.click("[aria-label='Stop node D']");
		browser.awaitText("[data-node='3'] .state", "down");
		browser.awaitText("#fact-nodes", "4 of 5 count");
		browser.awaitText("#events", "Node D is down");
		awaitSales(3);
		browser.screenshot("node-stopped");
		browser.click("[aria-label='Restart empty node D']");
		browser.awaitText("[data-node='3'] .state", "quarantined");
		browser.awaitText("[data-node='3'] .state", "counts");
		assertThat(browser.text("#fact-overlaps")).isEqualTo("0");
	}

	@Test
	void aNodeIsPausedAndGoesOn() {
		browser.click("[aria-label='Pause node A']");
		browser.awaitText("[data-node='0'] .state", "silent");
		browser.click("[aria-label='Resume node A']");
		browser.awaitText("[data-node='0'] .state", "counts");
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
			browser.awaitText("#lock-list", "not aware of it");
			browser.screenshot("lock-lost");
			browser.awaitText("#events", "lost the lock");
			browser.awaitText("#events", "the fence refused the late write");
			awaitSales(6);
			browser.select("#range", "10 seconds");
			browser.screenshot("console");
			assertThat(browser.text("#fact-overlaps")).isEqualTo("0");
		}
		finally {
			this.nodes.node(3).restartEmpty();
			this.nodes.node(2).delay(Duration.ZERO);
		}
	}

	@Test
	void withoutTheLockTwoAtOnceMeetTheEye() throws IOException {
		choose("UNGUARDED");
		browser.awaitText("#fact-unguarded", "without the lock");
		browser.awaitText("#events", "two at once");
		browser.awaitText("#stock", "too many");
		browser.screenshot("two-at-once");
	}

	@ParameterizedTest
	@CsvSource({ "360, light", "360, dark", "800, light", "1200, dark", "1600, light" })
	void thePageFitsAndItsTextCanBeRead(int width, String colours) throws IOException {
		browser.size(width, 960);
		browser.colours(colours);
		choose("LOCKED");
		awaitSales(1);
		browser.screenshot("page-" + width + "-" + colours);
		assertThat(browser.run(OVERFLOW)).isEqualTo(0L);
		assertThat((List<?>) browser.run(Accessibility.LOW_CONTRAST)).isEmpty();
		assertThat((List<?>) browser.run(Accessibility.NAMELESS_CONTROLS)).isEmpty();
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
