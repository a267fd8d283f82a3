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

package io.quorlock.site;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The site of this repository in a headless Chromium, from the disk. Skipped where the
 * packages chromium and chromium-driver are missing. The pictures are in
 * {@code target/screenshots}.
 */
class SiteBrowserTests {

	private static final Path SITE = Path.of("target", "browser-site").toAbsolutePath();

	private static final Path SCREENSHOTS = Path.of("target", "screenshots");

	private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

	private static final String OVERFLOW = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";

	private static final String IN_VIEW = "const box = arguments[0].getBoundingClientRect(); "
			+ "return box.top > 0 && box.bottom < window.innerHeight";

	private static @Nullable ChromeDriver driver;

	@BeforeAll
	static void start() throws IOException {
		Optional<File> chromium = installed("chromium");
		Optional<File> chromedriver = installed("chromedriver");
		Assumptions.assumeTrue(chromium.isPresent() && chromedriver.isPresent(),
				"The packages chromium and chromium-driver are missing");
		new SiteGenerator(Path.of("..").toAbsolutePath().normalize(), SITE).generate();
		// It warns of each Chromium that is newer than itself.
		SELENIUM.setLevel(Level.SEVERE);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(chromium.orElseThrow());
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage");
		driver = new ChromeDriver(
				new ChromeDriverService.Builder().usingDriverExecutable(chromedriver.orElseThrow()).build(), options);
	}

	@AfterAll
	static void quit() {
		if (driver != null) {
			driver.quit();
		}
	}

	private static Optional<File> installed(String name) {
		return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
			.map((directory) -> new File(directory, name))
			.filter(File::canExecute)
			.findFirst();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			how to test                      | docs/spring.html#tests
			@LeaderOnly                      | docs/leader.html#scheduled-methods
			leader election                  | docs/leader.html#leader-election
			What are fair locks?             | docs/kinds.html#fair
			compose                          | deploy/index.html#docker-compose
			first lock                       | docs/first-lock.html#first-lock-in-five-minutes
			""")
	void searchFindsThePageThatIsAboutIt(String query, String page) {
		view("index.html", 1280, "light");
		List<String> found = search(query);
		assertThat(found.get(0)).endsWith(page);
	}

	@Test
	void searchShowsNoTextOfADiagram() {
		view("index.html", 1280, "light");
		search("granted fence");
		assertThat(browser().findElement(By.id("results")).getText()).doesNotContain("->>", "sequenceDiagram",
				"participant");
	}

	@Test
	void searchCanBeUsedByTheKeyboardAlone() {
		view("docs/faq.html", 1280, "light");
		new Actions(browser()).sendKeys("/").sendKeys("leader election").perform();
		awaitResults();
		new Actions(browser()).sendKeys(Keys.ARROW_DOWN, Keys.ENTER).perform();
		await().until(
				() -> Objects.requireNonNull(browser().getCurrentUrl()).endsWith("docs/leader.html#leader-election"));
	}

	@Test
	void menuOfANarrowScreenOpensAndLeadsToPages() throws IOException {
		view("docs/safety.html", 390, "light");
		WebElement menu = browser().findElement(By.id("menu"));
		WebElement navigation = browser().findElement(By.id("navigation"));
		assertThat(navigation.isDisplayed()).isFalse();
		menu.click();
		assertThat(navigation.isDisplayed()).isTrue();
		assertThat(menu.getDomAttribute("aria-expanded")).isEqualTo("true");
		assertThat(browser().executeScript(IN_VIEW, navigation.findElement(By.linkText("Safety")))).isEqualTo(true);
		screenshot("phone-menu-light");
		new Actions(browser()).sendKeys(Keys.ESCAPE).perform();
		assertThat(navigation.isDisplayed()).isFalse();
		menu.click();
		navigation.findElement(By.linkText("Kinds of locks")).click();
		await().until(() -> Objects.requireNonNull(browser().getCurrentUrl()).endsWith("docs/kinds.html"));
		assertThat(browser().findElement(By.id("navigation")).isDisplayed()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "light, 1280", "dark, 1280", "light, 390", "dark, 390" })
	void pagesFitTheirScreen(String colours, int width) throws IOException {
		for (String page : List.of("index", "docs/architecture", "docs/performance", "docs/properties", "deploy/index",
				"docs/zh/index")) {
			view(page + ".html", width, colours);
			assertThat(browser().executeScript(OVERFLOW)).as(page).isEqualTo(0L);
			screenshot(page.replace('/', '-') + "-" + colours + "-" + width);
		}
		view("docs/architecture.html", width, colours);
		browser().executeScript("document.querySelector('.diagram').scrollIntoView()");
		screenshot("diagram-" + colours + "-" + width);
		view("index.html", width, colours);
		search("how to test");
		screenshot("search-" + colours + "-" + width);
	}

	private static ChromeDriver browser() {
		return Objects.requireNonNull(driver);
	}

	private static void view(String page, int width, String colours) {
		browser().executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", 844, "deviceScaleFactor", 1, "mobile", false));
		browser().executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
		browser().get(SITE.resolve(page).toUri().toString());
	}

	/** Return where the results lead, the best one first. */
	private static List<String> search(String query) {
		WebElement input = browser().findElement(By.id("search"));
		input.clear();
		input.sendKeys(query);
		awaitResults();
		return browser().findElements(By.cssSelector("#results a"))
			.stream()
			.map((link) -> String.valueOf(link.getDomProperty("href")))
			.toList();
	}

	private static void awaitResults() {
		await().atMost(Duration.ofSeconds(10))
			.until(() -> !browser().findElements(By.cssSelector("#results:not([hidden]) a")).isEmpty());
	}

	private static void screenshot(String name) throws IOException {
		Files.createDirectories(SCREENSHOTS);
		Files.write(SCREENSHOTS.resolve(name + ".png"), browser().getScreenshotAs(OutputType.BYTES));
	}

}
