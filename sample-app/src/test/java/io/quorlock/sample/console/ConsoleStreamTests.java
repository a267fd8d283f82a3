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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class ConsoleStreamTests {

	private final ConsoleStream stream = new ConsoleStream(mock());

	@Test
	void pageThatFailsDoesNotEndTheStreamOfOthers() throws InterruptedException {
		for (Exception failure : new Exception[] { new IOException("closed"),
				new IllegalStateException("completed") }) {
			Page failing = new Page(failure);
			Page other = new Page(null);
			this.stream.add(failing);
			this.stream.start();
			assertThat(failing.sent.await(30, TimeUnit.SECONDS)).isTrue();
			this.stream.add(other);
			assertThat(other.sent.await(30, TimeUnit.SECONDS)).isTrue();
			this.stream.stop();
		}
	}

	/** As when the browser goes while something is sent to it. */
	private static final class Page extends SseEmitter {

		private final CountDownLatch sent = new CountDownLatch(1);

		private final @Nullable Exception failure;

		private Page(@Nullable Exception failure) {
			this.failure = failure;
		}

		@Override
		public void send(Object object) throws IOException {
			this.sent.countDown();
			if (this.failure instanceof IOException ex) {
				throw ex;
			}
			if (this.failure instanceof RuntimeException ex) {
				throw ex;
			}
		}

		@Override
		public void completeWithError(Throwable ex) {
			throw new IllegalStateException("The request is over already");
		}

	}

}
