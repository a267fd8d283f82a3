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
import java.util.Objects;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Configuration;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The page that any application can switch on, in one that has nothing else.
 */
@SpringBootTest(classes = LockConsoleBrowserTests.Application.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "distributed-lock.backend=in-memory", "distributed-lock.instance-id=orders@host-1:4711",
				"distributed-lock.lease-time=30s", "distributed-lock.max-lease-time=60s",
				"distributed-lock.leader.roles=", "distributed-lock.connection.operation-timeout=5s",
				"distributed-lock.console.enabled=true", "management.endpoint.locks.access=unrestricted",
				"spring.datasource.url=jdbc:h2:mem:lock-console" })
@Timeout(120)
class LockConsoleBrowserTests extends AbstractBrowserTests {

	private static final String HOSTILE = "<img src=x onerror=\"document.title='run'\">";

	/** Of this instance in the head, in the state of a lock, and on its only node. */
	private static final String COLOURS = """
			return [...document.querySelectorAll('.owner')].map((chip) => getComputedStyle(chip, '::before').backgroundColor);
			""";

	private final List<LockHandle> held = new ArrayList<>();

	@Autowired
	private LockTemplate template;

	@AfterEach
	void leave() {
		this.held.forEach(LockHandle::close);
	}

	private void open() {
		open("/actuator/lock-console", 1280, 900);
		browser.awaitText("#instance", "orders@host-1:4711");
	}

	private void hold(LockRequest request) {
		this.held.add(this.template.acquire(request));
	}

	@Test
	void showsWhatIsHeldAndWaitedForWithNamesAsText() throws IOException {
		hold(LockRequest.of("order").key(42));
		hold(LockRequest.of("exports").permits(3));
		hold(LockRequest.of(HOSTILE));
		this.template.acquireAsync(LockRequest.of("order").key(42).waitTime(Duration.ofMinutes(5)))
			.thenAccept(LockHandle::close);
		open();
		browser.awaitText("#held-count", "3");
		browser.awaitText("#waiting-count", "1");
		assertThat(browser.text("#held")).contains("order:42", HOSTILE, " of 3");
		assertThat(browser.text("#waiting")).contains("order:42", "exclusive");
		assertThat(browser.text("#nodes")).contains("memory", "voting");
		assertThat(browser.run("return document.title")).isEqualTo("Locks of orders@host-1:4711");
		assertThat(browser.run("return document.images.length")).isEqualTo(0L);
		for (String colours : List.of("light", "dark")) {
			browser.colours(colours);
			for (int width : List.of(1280, 390)) {
				browser.size(width, 900);
				browser.screenshot("lock-console-" + colours + "-" + width);
				assertThatItFitsAndCanBeRead();
			}
		}
	}

	@Test
	void filtersLongLists() {
		for (int key = 0; key < 130; key++) {
			hold(LockRequest.of("order").key(key));
		}
		hold(LockRequest.of("stock").key(7));
		open();
		browser.awaitText("#held-count", "131");
		assertThat(browser.text("#held")).contains("order:129", "stock:7");
		browser.run("document.querySelector('#name').value = 'stock'");
		browser.click("#filter [type=submit]");
		await().untilAsserted(() -> assertThat(browser.text("#held-count")).isEqualTo("1"));
		assertThat(browser.text("#held")).contains("stock:7");
	}

	@Test
	void showsALockOnEachNodeAndReleasesItByForce() throws IOException {
		hold(LockRequest.of("reports/daily ?").key("ä"));
		LockHandle lock = this.held.get(0);
		open();
		browser.awaitText("#held", lock.name());
		browser.click("#held button.name");
		browser.awaitText("#lock-state", "held by orders@host-1:4711:");
		browser.screenshot("lock-console-lock");
		await().untilAsserted(() -> assertThat(browser.run(COLOURS)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.hasSize(3)
			.containsOnly("rgb(22, 104, 199)"));
		await().until(
				() -> Objects.equals(browser.run("return document.querySelector('#force').checkVisibility()"), true));
		browser.click("#request");
		browser.awaitText("#lock-result", "The instance of the holder received the request.");
		browser.run("window.confirm = () => true");
		browser.click("#force");
		browser.awaitText("#lock-result", "Released.");
		browser.awaitText("#lock-state", "free");
		assertThat(lock.isHeld()).isFalse();
		browser.awaitText("#held", "Nothing is held.");
	}

	@Test
	void nameWhosePathWouldBeThatOfAnotherLockIsNeitherShownNorReleased() {
		hold(LockRequest.of("reports/../stock"));
		hold(LockRequest.of("stock"));
		open();
		browser.awaitText("#held", "reports/../stock");
		browser.click("#held button.name[data-name='reports/../stock']");
		browser.awaitText("#lock-state", "No path leads to this name");
		browser.run("window.confirm = () => true");
		browser.run("document.querySelector('#force').click()");
		browser.awaitText("#lock-result", "No path leads to this name");
		browser.click("#close");
		browser.run("document.querySelector('#name').value = 'stock/'");
		browser.click("#inspect");
		browser.awaitText("#lock-state", "No path leads to this name");
		assertThat(this.held).allMatch(LockHandle::isHeld);
	}

	@Test
	void releaseThatNoMajorityConfirmedIsNotSaidToHaveDoneNothing() {
		hold(LockRequest.of("order").key(42));
		open();
		browser.click("#held button.name");
		browser.awaitText("#lock-state", "held by");
		browser.run("window.confirm = () => true");
		String released = "Not released: nothing was held, or no majority of the nodes confirmed it.";
		respondToDelete("{ \"released\": false, \"failures\": [] }");
		browser.click("#force");
		await().untilAsserted(() -> assertThat(browser.text("#lock-result")).isEqualTo(released));
		respondToDelete("""
				{ "released": false, "failures": [ { "name": "redis-2:6379", "error": "no reply within 100 ms" },
					{ "name": "redis-3:6379", "error": "connection refused" } ] }
				""");
		browser.click("#force");
		await().untilAsserted(() -> assertThat(browser.text("#lock-result")).isEqualTo(
				released + " Not confirmed by redis-2:6379: no reply within 100 ms, redis-3:6379: connection refused"));
	}

	/** A session has states of its own. */
	@Test
	void sessionWithZooKeeperVotesWhileItIsConnected() {
		open();
		for (String state : List.of("connected", "unproven")) {
			browser.run("""
					window.fetch = () => Promise.resolve(new Response(JSON.stringify({ instance: 'orders@host-1:4711',
						counts: { held: 0, retained: 0, waiting: 0 }, held: [], waiting: [], quorum: 1,
						nodes: [{ name: 'zookeeper-1:2181', state: arguments[0] }] }),
						{ headers: { 'Content-Type': 'application/json' } }));
					""", state);
			browser.awaitText("#nodes", state);
			assertThat(browser.text("#nodes-count"))
				.isEqualTo(state.equals("connected") ? "1 of 1 vote, 1 needed" : "0 of 1 vote, 1 needed");
		}
	}

	private void respondToDelete(String json) {
		browser.run("""
				const respond = window.respond ??= window.fetch;
				window.fetch = (path, options) => options.method === 'DELETE'
					? Promise.resolve(new Response(arguments[0], { headers: { 'Content-Type': 'application/json' } }))
					: respond(path, options);
				""", json);
	}

	@Test
	@Tag("long")
	void instanceThatHangsIsReportedInsteadOfWhatItSaidBefore() {
		open();
		browser.run("""
				window.fetch = (path, options) => new Promise((fulfil, reject) =>
					options.signal?.addEventListener('abort', () => reject(options.signal.reason)));
				""");
		browser.awaitText("#problem", "This instance does not respond.");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
