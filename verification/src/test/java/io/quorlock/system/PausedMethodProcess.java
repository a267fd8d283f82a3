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

package io.quorlock.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.metrics.LockMetricsAutoConfiguration;

/**
 * Runs a locked method over and over, and counts how its losses are told. Each run says
 * {@code IN} and goes on when it has read a line.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ LockAutoConfiguration.class, LockMetricsAutoConfiguration.class })
@EnableScheduling
class PausedMethodProcess {

	/** Arguments: who calls, how many runs, properties. */
	public static void main(String[] args) throws Exception {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		TestPropertyValues.of(List.of(args).subList(2, args.length)).applyTo(context);
		context.register(PausedMethodProcess.class, args[0].equals("job") ? Job.class : Work.class, Events.class);
		context.refresh();
		int runs = Integer.parseInt(args[1]);
		int told = 0;
		if (args[0].equals("job")) {
			context.getBean(Job.class).start(runs);
			context.getBean(Job.class).awaitEnd();
		}
		else {
			for (int run = 0; run < runs; run++) {
				try {
					context.getBean(Work.class).run();
				}
				catch (LockLostException ex) {
					told += ex.getMessage().contains("was lost: .") ? 0 : 1;
				}
			}
		}
		Events events = context.getBean(Events.class);
		Counter lost = context.getBean(MeterRegistry.class).get("distributed.lock.lost").counter();
		awaitListeners(() -> events.count.get() >= runs && lost.count() >= runs);
		System.out.println("TOLD exceptions=%d events=%d reasons=%d lost=%.0f".formatted(told, events.count.get(),
				events.reasons.get(), lost.count()));
		context.close();
		System.exit(0);
	}

	@Bean
	SimpleMeterRegistry meterRegistry() {
		return new SimpleMeterRegistry();
	}

	/** They are notified on threads of their own. */
	private static void awaitListeners(BooleanSupplier notified) throws InterruptedException {
		for (int i = 0; i < 500 && !notified.getAsBoolean(); i++) {
			Thread.sleep(10);
		}
	}

	private static void pauseHere() throws IOException {
		System.out.println("IN");
		Input.LINES.readLine();
	}

	private static final class Input {

		static final BufferedReader LINES = new BufferedReader(
				new InputStreamReader(System.in, StandardCharsets.UTF_8));

	}

	static class Work {

		@DistributedLock("order")
		public void run() throws IOException {
			pauseHere();
		}

	}

	static class Job {

		private final CountDownLatch started = new CountDownLatch(1);

		private final CountDownLatch done = new CountDownLatch(1);

		private volatile int left;

		void start(int runs) {
			this.left = runs;
			this.started.countDown();
		}

		void awaitEnd() throws InterruptedException {
			this.done.await();
		}

		@Scheduled(fixedDelay = 1)
		@DistributedLock("order")
		public void run() throws Exception {
			this.started.await();
			if (this.left == 0) {
				this.done.countDown();
				return;
			}
			this.left--;
			pauseHere();
		}

	}

	static class Events {

		final AtomicInteger count = new AtomicInteger();

		final AtomicInteger reasons = new AtomicInteger();

		@EventListener
		void onLost(LockLostEvent event) {
			this.reasons.addAndGet(event.reason().isEmpty() ? 0 : 1);
			this.count.incrementAndGet();
		}

	}

}
