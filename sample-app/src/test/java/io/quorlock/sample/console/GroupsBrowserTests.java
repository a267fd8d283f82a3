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

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ActiveProfiles;

import io.quorlock.groups.Sharding;
import io.quorlock.sample.nodes.DemoNodes;
import io.quorlock.sample.watch.VisitLog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The sample with its profile {@code groups}.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:groups")
@ActiveProfiles("groups")
@Timeout(120)
class GroupsBrowserTests extends AbstractBrowserTests {

	@Autowired
	private DemoNodes nodes;

	@Autowired
	private Buyers buyers;

	@Autowired
	private Scenes scenes;

	@Autowired
	private VisitLog visits;

	@BeforeEach
	void open() {
		open("/", 1440, 1500);
		browser.awaitText("#fact-nodes", "6 of 6");
	}

	@AfterEach
	void stop() {
		this.buyers.stop();
		this.scenes.stop(Scenes.Scene.READERS);
	}

	@Test
	void aGroupThatIsDownTakesItsNamesWithItAndNoOthers() throws IOException {
		assertThat(browser.text("#fact-quorum")).isEqualTo("2 in each group");
		Sharding sharding = new Sharding(List.of("a", "b"), Sharding.By.NAME);
		for (String lock : List.of("stock:sneaker", "stock:watch", "price-list", "packing-table", "pickup-counter",
				"leader:scheduler")) {
			browser.awaitText("[data-group='" + sharding.groupOf(lock) + "'] .names", lock);
		}
		browser.click("label:has(input[value='LOCKED'])");
		browser.click("label:has(input[value='READERS'])");
		browser.awaitText("[data-lock='price-list'] .kind", "reader");
		assertThat(browser.text("[data-lock='price-list'] .place")).isEqualTo("group b");
		assertThat(browser.text("[data-lock='stock:sneaker'] .place")).isEqualTo("group a");
		browser.click("[aria-label='Stop node D']");
		browser.click("[aria-label='Stop node E']");
		browser.awaitText("[data-group='b'] h3", "no quorum");
		browser.awaitText("[data-group='b'] .names",
				"Unavailable until a quorum votes: leader:scheduler, price-list, stock:watch");
		browser.awaitText("[data-lock='price-list'].unavailable", "Unavailable: group b has no quorum");
		browser.awaitText("#events", "Group b has no quorum: leader:scheduler, price-list, stock:watch unavailable");
		browser.awaitText("#try", "Group b has no quorum: its names are unavailable, all others work");
		assertThat(browser.text("[data-group='a'] h3")).contains("available");
		assertThat(browser.run("return document.querySelector(\"[data-lock='stock:sneaker']\").className"))
			.isEqualTo("lock");
		long ended = this.visits.endedCount();
		await().atMost(Duration.ofSeconds(20)).until(() -> this.visits.endedCount() > ended + 3);
		browser.screenshot("group-down");
		browser.size(360, 1500);
		browser.colours("dark");
		browser.screenshot("group-down-360-dark");
		assertThatItFitsAndCanBeRead();
		this.nodes.node(3).restartEmpty();
		this.nodes.node(4).restartEmpty();
		browser.awaitText("[data-group='b'] h3", "available");
		browser.awaitText("[data-group='b'] .names", "Keeps: leader:scheduler, price-list, stock:watch");
		browser.awaitText("[data-lock='price-list'] .kind", "reader");
		assertThat(this.visits.overlaps()).isZero();
	}

}
