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
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.engine.LockInspector;
import io.quorlock.health.LockHealthIndicator;
import io.quorlock.system.ChaosClient.Pace;

/**
 * An instance of an application that is deployed with properties, works once it is
 * available, replies to one line with one line, and stops gracefully on SIGTERM.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration(LockAutoConfiguration.class)
class FleetProcess {

	/**
	 * Arguments: file of the log, port of the server, threads, their {@link Pace},
	 * properties.
	 */
	public static void main(String[] args) throws Exception {
		PrintStream out = System.out;
		System.setOut(new PrintStream(new FileOutputStream(args[0]), true, StandardCharsets.UTF_8));
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		TestPropertyValues.of(List.of(args).subList(4, args.length)).applyTo(context);
		context.register(FleetProcess.class);
		context.registerShutdownHook();
		context.refresh();
		awaitAvailable(context);
		out.println("READY");
		context.getBean(Work.class)
			.begin(Integer.parseInt(args[2]), Pace.valueOf(args[3]), Integer.parseInt(args[1]),
					() -> out.println("IDLE"));
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String command = commands.readLine(); command != null; command = commands.readLine()) {
			out.println(command + ": " + reply(context, command).replace('\n', ' '));
		}
		context.close();
		System.exit(0);
	}

	private static void awaitAvailable(ApplicationContext context) {
		try {
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> context.getBean(LockInspector.class).status().available());
		}
		catch (ConditionTimeoutException ex) {
			System.err.println("Not available: " + reply(context, "health"));
			System.exit(1);
		}
	}

	private static String reply(ApplicationContext context, String command) {
		LockInspector inspector = context.getBean(LockInspector.class);
		if (command.equals("health")) {
			Health health = new LockHealthIndicator(inspector, context.getBean(LockBackend.class).notes(), false)
				.health();
			return health.getStatus() + " " + health.getDetails();
		}
		LockRequest request = LockRequest.of(command);
		try (LockHandle lock = context.getBean(LockTemplate.class).acquire(request)) {
			return lock.isHeld() ? "held by " + lock.fencingToken() : "lost";
		}
		catch (LockException ex) {
			return ex.toString();
		}
	}

	@Bean
	Work work(LockTemplate template) {
		return new Work(template);
	}

	/** Ends before the locks do, as requests of a web server. */
	static final class Work implements SmartLifecycle {

		private final LockTemplate template;

		private final List<Thread> threads = new ArrayList<>();

		private volatile boolean running;

		Work(LockTemplate template) {
			this.template = template;
		}

		void begin(int count, Pace pace, int port, Runnable whenDone) throws IOException {
			this.threads.addAll(ChaosClient.start(this.template, count, pace, this::isRunning, port));
			Thread last = new Thread(() -> {
				join();
				whenDone.run();
			});
			last.setDaemon(true);
			last.start();
		}

		private void join() {
			try {
				for (Thread thread : this.threads) {
					thread.join();
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			join();
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

}
