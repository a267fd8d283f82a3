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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Sends the state to every open page, several times a second. It stops before the web
 * server, which would wait for the open pages otherwise.
 */
@Component
class ConsoleStream implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(ConsoleStream.class);

	private static final long PERIOD_MILLIS = 200;

	private final Map<SseEmitter, Long> pages = new ConcurrentHashMap<>();

	private final ConsoleStates states;

	private volatile @Nullable ScheduledExecutorService timer;

	ConsoleStream(ConsoleStates states) {
		this.states = states;
	}

	/** The first state contains everything that is kept. */
	SseEmitter open() {
		return add(new SseEmitter(0L));
	}

	SseEmitter add(SseEmitter page) {
		page.onCompletion(() -> this.pages.remove(page));
		page.onError((ex) -> this.pages.remove(page));
		this.pages.put(page, 0L);
		return page;
	}

	/** What fails for one page must not end the stream for all of them. */
	private void tick() {
		this.pages.forEach((page, endedBefore) -> {
			try {
				send(page, endedBefore);
			}
			catch (IOException ex) {
				this.pages.remove(page); // closed, as the web server knows
			}
			catch (RuntimeException ex) {
				this.pages.remove(page);
				logger.warn("Cannot send the state to a page of the console, which has to connect again", ex);
				end(page, ex);
			}
		});
	}

	/** The page is notified, unless its request is over. */
	private static void end(SseEmitter page, RuntimeException failure) {
		try {
			page.completeWithError(failure);
		}
		catch (RuntimeException ex) {
			logger.debug("The request of the page is over", ex);
		}
	}

	private void send(SseEmitter page, long endedBefore) throws IOException {
		// Counted first, so that a visit which ends meanwhile is sent twice rather than
		// never.
		long ended = this.states.endedCount();
		page.send(this.states.since(endedBefore));
		this.pages.replace(page, ended);
	}

	@Override
	public void start() {
		ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "console");
			thread.setDaemon(true);
			return thread;
		});
		// Ends with the executor.
		var unused = started.scheduleWithFixedDelay(this::tick, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
		this.timer = started;
	}

	@Override
	public void stop() {
		ScheduledExecutorService started = this.timer;
		if (started != null) {
			started.shutdownNow();
			this.timer = null;
		}
		this.pages.keySet().forEach(SseEmitter::complete);
		this.pages.clear();
	}

	@Override
	public boolean isRunning() {
		return this.timer != null;
	}

}
