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
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.Keys;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import io.quorlock.LockRequest;
import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.fleet.Instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the page shows of each kind of lock, against locks that the test takes itself.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:browser")
@Timeout(120)
class LocksBrowserTests extends AbstractBrowserTests {

	private static final String TEXTS = """
			return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent.replace(/\\s+/g, ' ').trim());
			""";

	private final List<Worker> workers = new ArrayList<>();

	@Autowired
	private Fleet fleet;

	@Autowired
	private Scenes scenes;

	private Instance first;

	private Instance second;

	@BeforeEach
	void open() {
		this.first = this.fleet.instances().get(0);
		this.second = this.fleet.instances().get(1);
		open("/", 1440, 1200);
		browser.awaitText("#fact-nodes", "5 of 5");
	}

	@AfterEach
	void leave() throws InterruptedException {
		for (Worker worker : this.workers) {
			worker.join();
		}
		for (Scenes.Scene scene : Scenes.Scene.values()) {
			this.scenes.stop(scene);
		}
	}

	@Test
	void readersAreCountedAsReadersAndTheWriterWaitsBeforeLaterReaders() throws InterruptedException {
		LockRequest reader = LockRequest.of("catalog").shared();
		Worker one = work(this.first, "one", reader);
		Worker two = work(this.first, "two", reader);
		awaitHolders("catalog", "shop-1 one, reads", "shop-1 two, reads");
		assertThat(browser.text("[data-lock='catalog'] .kind")).isEqualTo("shared or exclusive: 2 readers");
		Worker writer = work(this.second, "writer", LockRequest.of("catalog"));
		awaitQueue("catalog", "1 shop-2 writer, writes ticket");
		work(this.second, "late", reader);
		awaitQueue("catalog", "1 shop-2 writer, writes ticket", "2 shop-2 late, reads local queue");
		work(this.first, "later", reader);
		awaitQueue("catalog", "1 shop-2 writer, writes ticket", "2 shop-2 late, reads local queue",
				"3 shop-1 later, reads ticket");
		assertThat(browser.text("[data-lock='catalog'] .kind")).isEqualTo("shared or exclusive: 2 readers");
		one.join();
		two.join();
		awaitHolders("catalog", "shop-2 writer, writes");
		assertThat(browser.text("[data-lock='catalog'] .kind")).isEqualTo("shared or exclusive: 1 writer");
		writer.join();
		await().atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(browser.text("[data-lock='catalog'] .kind"))
				.isEqualTo("shared or exclusive: 2 readers"));
		awaitQueue("catalog");
	}

	@Test
	void permitsInUseAreNumberedAndTheOthersWaitInTheOrderOfAsking() throws InterruptedException {
		LockRequest permit = LockRequest.of("table").permits(3);
		work(this.first, "one", permit);
		awaitPermits("shop-1 one");
		assertThat(browser.text("[data-lock='table'] .kind")).isEqualTo("1 of 3 permits in use");
		Worker two = work(this.second, "two", permit);
		awaitPermits("shop-1 one", "shop-2 two");
		work(this.second, "three", permit);
		awaitPermits("shop-1 one", "shop-2 two", "shop-2 three");
		assertThat(browser.text("[data-lock='table'] .kind")).isEqualTo("3 of 3 permits in use");
		assertThat(holders("table")).extracting((text) -> text.replaceFirst(".*, ", ""))
			.containsExactly("permit 1", "permit 2", "permit 3");
		work(this.first, "four", permit);
		awaitQueue("table", "1 shop-1 four ticket");
		work(this.second, "five", permit);
		awaitQueue("table", "1 shop-1 four ticket", "2 shop-2 five ticket");
		browser.awaitText("[data-lock='table'] .waiting", "2 wait, next first");
		two.join();
		await().atMost(Duration.ofSeconds(10)).until(() -> texts("[data-lock='table'] .queue li").size() == 1);
		assertThat(browser.text("[data-lock='table'] .kind")).isEqualTo("3 of 3 permits in use");
	}

	@Test
	void aFairQueueIsShownInTheOrderOfAsking() throws InterruptedException {
		LockRequest fair = LockRequest.of("counter").fair();
		Worker holder = work(this.first, "holder", fair);
		awaitHolders("counter", "shop-1 holder");
		Worker next = work(this.second, "b", fair);
		awaitQueue("counter", "1 shop-2 b ticket");
		Worker third = work(this.first, "a", fair);
		awaitQueue("counter", "1 shop-2 b ticket", "2 shop-1 a local queue");
		work(this.second, "c", fair);
		awaitQueue("counter", "1 shop-2 b ticket", "2 shop-1 a local queue", "3 shop-2 c local queue");
		assertThat(browser.text("[data-lock='counter'] .kind")).isEqualTo("exclusive, fair");
		holder.join();
		awaitHolders("counter", "shop-2 b");
		awaitQueue("counter", "1 shop-1 a ticket", "2 shop-2 c local queue");
		next.join();
		awaitHolders("counter", "shop-1 a");
		third.join();
		awaitHolders("counter", "shop-2 c");
		awaitQueue("counter");
	}

	@Test
	void tokenShownIsTheOneThatTheHolderHas() {
		work(this.first, "holder", LockRequest.of("token"));
		awaitHolders("token", "shop-1 holder");
		Long token = this.first.inspector()
			.held()
			.stream()
			.filter((hold) -> hold.names().contains("token"))
			.findFirst()
			.orElseThrow()
			.fencingTokens()
			.get("token");
		assertThat(browser.text("[data-lock='token'] .token")).contains("token " + token).contains(" of 5 nodes");
	}

	@Test
	void namesAndThreadsAreTextAndNothingElse() {
		String name = "<img src=x onerror=\"document.title='broken'\">";
		work(this.first, "<b>bold</b>", LockRequest.of(name));
		await().atMost(Duration.ofSeconds(10))
			.until(() -> texts("#lock-list h3 code").contains(name)
					&& texts(".holder .row").toString().contains("<b>bold</b>"));
		assertThat(browser.run("return document.querySelectorAll('#lock-list img, .holder b').length")).isEqualTo(0L);
		assertThat(browser.run("return document.title")).isEqualTo("Quorlock console");
	}

	@Test
	void kindsCanBeWatchedAndCollapseAfterwards() throws IOException {
		for (Scenes.Scene scene : Scenes.Scene.values()) {
			toggle(scene, true);
		}
		browser.awaitText("#try", "in the order of asking");
		browser.awaitText("[data-lock='price-list'] .queue", "writes");
		browser.awaitText("[data-lock='packing-table'] .kind", "3 of 3 permits in use");
		browser.awaitText("[data-lock='pickup-counter'] .waiting", "next first");
		browser.screenshot("kinds");
		browser.size(360, 2600);
		browser.colours("dark");
		browser.run("document.querySelector('.locks').scrollIntoView()");
		browser.screenshot("kinds-360-dark");
		for (String colours : List.of("dark", "light")) {
			browser.colours(colours);
			assertThatItFitsAndCanBeRead();
		}
		for (Scenes.Scene scene : Scenes.Scene.values()) {
			toggle(scene, false);
		}
		for (String lock : List.of("price-list", "packing-table", "pickup-counter")) {
			browser.awaitText("[data-lock='" + lock + "'].idle", "Free");
		}
	}

	/**
	 * With the keyboard: a node that says why it does not vote makes the page longer, and
	 * moves the switch away from under the mouse.
	 */
	private void toggle(Scenes.Scene scene, boolean running) {
		browser.run("document.querySelector(arguments[0]).focus()", "input[value='" + scene + "']");
		browser.press(Keys.SPACE);
		await().atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(this.scenes.running().contains(scene)).as("%s", scene).isEqualTo(running));
	}

	private Worker work(Instance instance, String name, LockRequest request) {
		Worker worker = new Worker(instance, name, request);
		this.workers.add(worker);
		return worker;
	}

	/** Which number a holder gets is not promised. */
	private static void awaitPermits(String... holders) {
		await().atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(holders("table")).extracting((text) -> text.replaceFirst(", permit .*", ""))
				.containsExactlyInAnyOrder(holders));
	}

	private static void awaitHolders(String lock, String... holders) {
		await().atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(holders(lock)).containsExactlyInAnyOrder(holders));
	}

	private static List<String> holders(String lock) {
		return texts("[data-lock='" + lock + "'] .holder:not(.note) .row").stream()
			.map((text) -> text.replaceAll("(valid for|lost).*", ""))
			.map((text) -> text.replaceFirst("^(shop-\\d)", "$1 "))
			.toList();
	}

	/** The times for which they wait are not compared. */
	private static void awaitQueue(String lock, String... waiters) {
		await().atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(texts("[data-lock='" + lock + "'] .queue li"))
				.extracting((text) -> text.replaceFirst("\\s*[\\d.]+ s$", ""))
				.extracting((text) -> text.replaceFirst("^([\\d·])(shop-\\d)", "$1 $2 "))
				.containsExactly(waiters));
	}

	@SuppressWarnings("unchecked")
	private static List<String> texts(String selector) {
		return (List<String>) browser.run(TEXTS, selector);
	}

}
