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
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A headless Chromium, as Debian's packages chromium and chromium-driver install it.
 */
final class Browser implements AutoCloseable {

	private static final String MISSING = "Browser tests are skipped: the packages chromium and chromium-driver are missing";

	private static final Path SCREENSHOTS = Path.of("target", "screenshots");

	private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

	private @Nullable ChromeDriver driver;

	/**
	 * Starts once. Skips the test where there is no Chromium; nothing is downloaded.
	 */
	void start() {
		if (this.driver != null) {
			return;
		}
		Optional<File> chromium = installed("chromium", "chromium-browser", "google-chrome");
		Optional<File> chromedriver = installed("chromedriver");
		if (chromium.isEmpty() || chromedriver.isEmpty()) {
			System.out.println(MISSING); // Maven does not show why a test is skipped
			Assumptions.abort(MISSING);
		}
		// It warns of each Chromium that is newer than itself.
		SELENIUM.setLevel(Level.SEVERE);
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(chromium.orElseThrow());
		options.setCapability("goog:loggingPrefs", logs);
		// Containers have no sandbox to offer and little shared memory.
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage");
		ChromeDriverService service = new ChromeDriverService.Builder()
			.usingDriverExecutable(chromedriver.orElseThrow())
			.build();
		this.driver = new ChromeDriver(service, options);
	}

	private ChromeDriver driver() {
		return Objects.requireNonNull(this.driver, "The browser was not started");
	}

	private static Optional<File> installed(String... names) {
		List<String> path = Arrays.asList(System.getenv("PATH").split(File.pathSeparator));
		return Stream.of(names)
			.flatMap((name) -> path.stream().map((directory) -> new File(directory, name)))
			.filter(File::canExecute)
			.findFirst();
	}

	void open(String url) {
		driver().get(url);
	}

	void size(int width, int height) {
		driver().executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
	}

	/** Without transitions, in the middle of which a picture could be taken. */
	void colours(String scheme) {
		driver().executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme),
						Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
	}

	void click(String selector) {
		driver().findElement(By.cssSelector(selector)).click();
	}

	/** Presses keys wherever the keyboard is. */
	void press(CharSequence... keys) {
		new Actions(driver()).sendKeys(keys).perform();
	}

	void select(String selector, String text) {
		driver().findElements(By.cssSelector(selector + " option"))
			.stream()
			.filter((option) -> option.getText().equals(text))
			.findFirst()
			.orElseThrow()
			.click();
		run("document.activeElement.blur()");
	}

	String text(String selector) {
		return String.valueOf(run("return document.querySelector(arguments[0])?.textContent", selector));
	}

	Object run(String script, Object... arguments) {
		return driver().executeScript(script, arguments);
	}

	void awaitText(String selector, String part) {
		await().atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(text(selector)).as(selector).contains(part));
	}

	void screenshot(String name) throws IOException {
		Path file = SCREENSHOTS.resolve(name + ".png");
		Files.createDirectories(file.getParent());
		Files.write(file, driver().getScreenshotAs(OutputType.BYTES));
	}

	/** What the page complained about since it was asked last. */
	List<String> complaints() {
		return (this.driver == null) ? List.of()
				: this.driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::getMessage).toList();
	}

	@Override
	public void close() {
		if (this.driver != null) {
			this.driver.quit();
			this.driver = null;
		}
	}

}
