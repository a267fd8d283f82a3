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

import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * For tests of a page as a browser shows it, which complains about nothing.
 */
@Tag("long")
abstract class AbstractBrowserTests {

	static final Browser browser = new Browser();

	@LocalServerPort
	private int port;

	@AfterAll
	static void closeBrowser() {
		browser.close();
	}

	/** Behind what a test does at its end. */
	@AfterEach
	final void nothingWasComplainedAbout() {
		assertThat(browser.complaints()).isEmpty();
	}

	/** Opens a page in light colours. */
	final void open(String path, int width, int height) {
		browser.start();
		browser.size(width, height);
		browser.colours("light");
		browser.open("http://127.0.0.1:" + this.port + path);
	}

	static void assertThatItFitsAndCanBeRead() {
		assertThat(browser.run(Accessibility.OVERFLOW)).isEqualTo(0L);
		assertThat((List<?>) browser.run(Accessibility.LOW_CONTRAST)).isEmpty();
		assertThat((List<?>) browser.run(Accessibility.NAMELESS_CONTROLS)).isEmpty();
	}

}
