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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import io.quorlock.leader.LeaderElection;
import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.nodes.DemoNodes;
import io.quorlock.sample.watch.VisitLog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What meets the eye. The pictures of the documentation are taken here: see
 * {@code .ci/pictures}.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:pictures")
@Timeout(180)
class ConsolePicturesTests extends AbstractBrowserTests {

	private static final List<String> KINDS = List.of("price-list", "packing-table", "pickup-counter");

	/** The colours of the chips of each instance, each colour once. */
	private static final String COLOURS = """
			const colours = {};
			document.querySelectorAll('.chip').forEach((chip) => {
				const colour = getComputedStyle(chip, '::before').backgroundColor;
				const name = chip.textContent;
				colours[name] = [...new Set([...(colours[name] ?? []), colour])];
			});
			return colours;
			""";

	/**
	 * Of each row of the time line in which something is drawn, whether its opaque
	 * colours are those of its instance and of no other.
	 */
	private static final String ROWS = """
			const rgb = (colour) => colour.match(/\\d+/g).slice(0, 3).join();
			const rows = {};
			document.querySelectorAll('.lane').forEach((lane) => {
				const canvas = lane.querySelector('canvas');
				const pen = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height })
					.getContext('2d', { willReadFrequently: true });
				pen.drawImage(canvas, 0, 0);
				const chips = [...lane.querySelectorAll('.chip')];
				const all = chips.map((chip) => rgb(getComputedStyle(chip, '::before').backgroundColor));
				chips.forEach((chip, row) => {
					const height = canvas.height / chips.length;
					const pixels = pen.getImageData(0, row * height + height / 3, canvas.width, height / 3).data;
					const seen = new Set();
					for (let at = 0; at < pixels.length; at += 4) {
						seen.add([...pixels.slice(at, at + 3)].join());
					}
					rows[lane.dataset.lane + ' ' + chip.textContent] = all.filter((colour) => seen.has(colour))
						.map((colour) => colour === all[row]);
				});
			});
			return rows;
			""";

	private static final String BOTTOM_OF_TIME_LINE = "return document.querySelector('.timeline').getBoundingClientRect().bottom";

	@Autowired
	private DemoNodes nodes;

	@Autowired
	private Buyers buyers;

	@Autowired
	private Scenes scenes;

	@Autowired
	private Fleet fleet;

	@Autowired
	private VisitLog visits;

	@BeforeEach
	void open() {
		open("/", 1280, 800);
		browser.awaitText("#fact-nodes", "5 of 5");
	}

	@AfterEach
	void stop() {
		this.buyers.stop();
		for (Scenes.Scene scene : Scenes.Scene.values()) {
			this.scenes.stop(scene);
		}
	}

	@Test
	void theTimeLineIsAboveTheFoldWithAllKindsOn() throws IOException {
		this.buyers.start(true);
		startKinds();
		for (String lane : KINDS) {
			browser.awaitText("[data-lane='" + lane + "']", lane);
		}
		browser.select("#range", "30 seconds");
		browser.awaitText("[data-lane='stock:sneaker']", "shop-2");
		await().atMost(Duration.ofSeconds(20))
			.until(() -> browser.text("[data-lock='packing-table'] .kind").startsWith("3 of 3"));
		for (String colours : List.of("light", "dark")) {
			browser.colours(colours);
			assertThat(((Number) browser.run(BOTTOM_OF_TIME_LINE)).doubleValue()).isLessThanOrEqualTo(800);
			browser.screenshot("fold-" + colours);
		}
		browser.size(390, 844);
		assertThat(browser.run(Accessibility.OVERFLOW)).isEqualTo(0L);
		for (String colours : List.of("light", "dark")) {
			browser.colours(colours);
			for (String panel : List.of("sale", "timeline", "locks", "nodes", "events")) {
				browser.run("document.querySelector('.' + arguments[0]).scrollIntoView()", panel);
				browser.screenshot("phone-" + colours + "-" + panel);
			}
			assertThat((List<?>) browser.run(Accessibility.LOW_CONTRAST)).as(colours).isEmpty();
		}
	}

	/**
	 * Also if the second instance is the first of which the page hears.
	 */
	@Test
	@SuppressWarnings("unchecked")
	void anInstanceHasOneColourWhereverItIsShown() {
		LeaderElection election = this.fleet.instances().get(0).context().getBean(LeaderElection.class);
		await().atMost(Duration.ofSeconds(60)).until(() -> {
			election.resign("scheduler");
			return Objects.equals(election.currentLeader("scheduler").orElse(""), "shop-2");
		});
		open();
		browser.awaitText("#leaders .chip", "shop-");
		startKinds();
		this.buyers.start(true);
		long ended = this.visits.endedCount();
		await().atMost(Duration.ofSeconds(30)).until(() -> this.visits.endedCount() > ended + 10);
		await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			Map<String, List<String>> colours = (Map<String, List<String>>) browser.run(COLOURS);
			assertThat(colours).containsOnlyKeys("shop-1", "shop-2")
				.allSatisfy((name, each) -> assertThat(each).as(name).hasSize(1));
			assertThat(colours.get("shop-1")).isNotEqualTo(colours.get("shop-2"));
			Map<String, List<Boolean>> rows = (Map<String, List<Boolean>>) browser.run(ROWS);
			assertThat(rows).hasSize(8).allSatisfy((row, own) -> assertThat(own).as(row).containsExactly(true));
		});
	}

	@Test
	void picturesForTheDocumentation() throws IOException {
		this.nodes.node(2).delay(Duration.ofMillis(50));
		try {
			this.buyers.start(false);
			await().until(() -> Integer.parseInt(browser.text("#fact-unguarded")) > 0);
			browser.awaitText("#stock", "sold too many");
			this.buyers.start(true);
			startKinds();
			browser.click("[aria-label='Stop node D']");
			browser.awaitText("[data-node='2'] .state", "slow");
			browser.awaitText("[data-node='3'] .state", "down");
			browser.click("#stall");
			browser.awaitText("#events", "the fence refused the late write");
			browser.awaitText("[data-lock='packing-table'] .kind", "3 of 3 permits in use");
			browser.awaitText("[data-lane='pickup-counter']", "shop-2");
			long ended = this.visits.endedCount();
			await().until(() -> this.visits.endedCount() > ended + 6);
			browser.size(1280, 1120);
			browser.run("document.activeElement.blur(); scrollTo(0, 0)");
			await().atMost(Duration.ofSeconds(60)).untilAsserted(this::takePictures);
		}
		finally {
			this.nodes.node(3).restartEmpty();
			this.nodes.node(2).delay(Duration.ZERO);
		}
	}

	/** Not while nodes are slow because the machine has other things to do. */
	private void takePictures() throws IOException {
		for (String colours : List.of("light", "dark")) {
			browser.colours(colours);
			assertThat(states()).isEqualTo("votes,votes,slow,down,votes");
			browser.screenshot("docs/console" + (colours.equals("dark") ? "-dark" : ""));
			assertThat(states()).isEqualTo("votes,votes,slow,down,votes");
		}
	}

	private static String states() {
		return String.valueOf(browser
			.run("return [...document.querySelectorAll('.node .state')].map((state) => state.textContent).join()"));
	}

	private void startKinds() {
		for (Scenes.Scene scene : Scenes.Scene.values()) {
			this.scenes.start(scene);
		}
	}

}
