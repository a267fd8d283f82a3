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

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.system.SequenceServers.SetUp;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances of an application, used by several threads at random in all the ways that
 * there are, on servers that do not fail; now and then one is stopped. At no time do two
 * hold a lock that excludes them, and afterwards nothing is left. A failure names its
 * seed: {@code -Dsequences.seed=4711} begins with it, and {@code -Dsequences.seconds=600}
 * goes on for longer. {@link OccupationTests} shows that violations would be noticed.
 */
@Tag("long")
class RandomSequencesTests {

	private static final long FIRST_SEED = Long.getLong("sequences.seed", 1);

	/** For each set-up. */
	private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("sequences.seconds", 5));

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Pattern ENDED = Pattern
		.compile("Lock '.*' was lost after .*: (its lease time of|the lease ended).*");

	private static final Pattern SEIZED = Pattern.compile("Lock '" + RandomCall.SEIZED + "' was lost after .*");

	private static final Pattern STOPPED = Pattern.compile("The lock engine of this instance stopped while .*"
			+ "|Lock '.*' was lost after .*: the lock engine of this instance was stopped .*");

	private static final Pattern ONE_MASTER = Pattern.compile("Locks are kept on one master of a .*");

	private static final Map<SetUp, CompletableFuture<SequenceServers>> servers = new EnumMap<>(SetUp.class);

	/** All at once: while one set-up is used, the quarantine of the others passes. */
	@BeforeAll
	static void startServers() {
		for (SetUp setUp : SetUp.values()) {
			servers.put(setUp, CompletableFuture.supplyAsync(setUp::start));
		}
	}

	@AfterAll
	static void stopServers() throws Exception {
		for (CompletableFuture<SequenceServers> started : servers.values()) {
			started.join().close();
		}
	}

	@ParameterizedTest
	@EnumSource(SetUp.class)
	void nothingContradictsWhatCallersAreTold(SetUp setUp) throws Exception {
		long end = System.nanoTime() + TIME.toNanos();
		SequenceServers started = servers.get(setUp).join();
		long seed = FIRST_SEED;
		do {
			List<String> violations = new Round(setUp, started, seed).run();
			assertThat(violations).as("-Dsequences.seed=%d on %s", seed, setUp).isEmpty();
			seed++;
		}
		while (System.nanoTime() - end < 0);
		System.out.printf("%s: seeds %d to %d%n", setUp, FIRST_SEED, seed - 1);
	}

	/** Two applications from their start to their end. */
	private static final class Round {

		private final SetUp setUp;

		private final SequenceServers servers;

		private final long seed;

		private final Random random;

		private final Occupation occupation = new Occupation(RandomCall.SEIZED);

		private final List<SequenceInstance> instances = new ArrayList<>();

		private boolean stopped;

		Round(SetUp setUp, SequenceServers servers, long seed) {
			this.setUp = setUp;
			this.servers = servers;
			this.seed = seed;
			this.random = new Random(seed);
		}

		/** Return what was violated. */
		List<String> run() throws Exception {
			Set<Thread> before = Thread.getAllStackTraces().keySet();
			LogLines log = new LogLines();
			try {
				List<String> properties = properties();
				for (int i = 0; i < 2; i++) {
					this.instances.add(new SequenceInstance(this.setUp, i, properties));
				}
				use();
				this.occupation.holds().forEach((hold) -> this.occupation.violated("Never left: " + hold));
				this.instances.stream().filter((instance) -> !instance.isClosed()).forEach(this::checkRest);
				checkServers("while nobody holds a lock");
				this.instances.stream().filter((instance) -> !instance.isClosed()).forEach(this::checkFree);
			}
			finally {
				this.instances.forEach(SequenceInstance::close);
				log.close();
			}
			checkServers("when all instances ended");
			checkThreads(before);
			log.lines.stream().filter((line) -> !isExplained(line)).forEach(this.occupation::violated);
			return this.occupation.violations();
		}

		private List<String> properties() {
			List<String> properties = new ArrayList<>(this.servers.properties());
			properties.addAll(List.of("distributed-lock.max-lease-time=3s", "distributed-lock.lease-time=3s",
					"distributed-lock.connection.operation-timeout=" + RandomCall.OPERATION_TIMEOUT,
					"distributed-lock.local-handover.max=" + List.of(0, 1, 3, 16).get(this.random.nextInt(4)),
					"distributed-lock.transaction.release-after-completion=" + (this.random.nextInt(5) != 0)));
			if (!this.setUp.isZooKeeper()) {
				properties
					.add("distributed-lock.retain-time=" + List.of("0s", "0s", "300ms").get(this.random.nextInt(3)));
				properties
					.add("distributed-lock.release-mode=" + ((this.random.nextInt(3) == 0) ? "sent" : "confirmed"));
			}
			return properties;
		}

		private void use() throws InterruptedException {
			boolean interrupts = this.random.nextBoolean();
			List<RandomCaller> callers = new ArrayList<>();
			for (int i = 3 + this.random.nextInt(5); i >= 0; i--) {
				callers.add(new RandomCaller(this.occupation, this.instances, this.random.nextLong(), "caller-" + i,
						interrupts));
			}
			int event = this.random.nextInt(5);
			callers.forEach(RandomCaller::start);
			for (int i = 0; i < 40; i++) {
				Thread.sleep(this.random.nextInt(100));
				callers.get(this.random.nextInt(callers.size())).interrupt();
				if (i == 20) {
					disturb(event);
				}
			}
			callers.forEach(RandomCaller::stop);
			for (RandomCaller caller : callers) {
				caller.join();
			}
		}

		private void disturb(int event) throws InterruptedException {
			SequenceInstance instance = this.instances.get(this.random.nextInt(2));
			if (event == 0) {
				this.stopped = true;
				instance.restart(Duration.ofMillis(this.random.nextInt(300)));
			}
			else if (event == 1) {
				this.stopped = true;
				instance.close();
			}
		}

		private void checkRest(SequenceInstance instance) {
			await(PATIENCE, () -> instance.unrest().isEmpty());
			String unrest = instance.unrest();
			if (!unrest.isEmpty()) {
				this.occupation.violated("Nobody uses " + instance + ": " + unrest);
			}
		}

		private void checkServers(String when) throws Exception {
			// Before tickets that were forgotten could expire.
			await(Duration.ofMillis(700), () -> this.servers.left().isEmpty());
			this.servers.left().forEach((left) -> this.occupation.violated(left + " is left " + when));
		}

		private void checkFree(SequenceInstance instance) {
			// In memory, nothing shows that a cool-down is over.
			boolean unsettled = instance.property("release-mode").equals("sent") || this.setUp == SetUp.IN_MEMORY;
			Duration wait = unsettled ? Duration.ofSeconds(1) : Duration.ZERO;
			for (LockRequest request : RandomUses.requests()) {
				Optional<LockHandle> handle = instance.template
					.tryAcquire(request.retainTime(Duration.ZERO).waitTime(wait));
				handle.ifPresentOrElse(LockHandle::close,
						() -> this.occupation.violated(request + " is not free to " + instance));
			}
		}

		private void checkThreads(Set<Thread> before) {
			await(PATIENCE, () -> threads(before).isEmpty());
			threads(before).forEach((thread) -> this.occupation.violated("Still runs: " + thread));
		}

		private static Set<Thread> threads(Set<Thread> before) {
			Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
			threads.removeAll(before);
			threads.removeIf(
					(thread) -> !thread.getName().matches("(quorlock|lettuce|caller).*|.*(SendThread|EventThread).*")
							|| thread.getName().startsWith("quorlock-embedded"));
			return threads;
		}

		private static void await(Duration max, Callable<Boolean> condition) {
			try {
				Awaitility.await()
					.atMost(max)
					.pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(20))
					.until(condition);
			}
			catch (ConditionTimeoutException ex) {
				// Its caller looks once more.
			}
		}

		private boolean isExplained(String line) {
			return ENDED.matcher(line).matches() || SEIZED.matcher(line).matches()
					|| (this.stopped && STOPPED.matcher(line).matches())
					|| (this.setUp.configuration() == SequenceServers.DataRedis.class
							&& ONE_MASTER.matcher(line).matches());
		}

	}

	/** What is logged at WARN and above. */
	private static final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

		private final Queue<String> lines = new ConcurrentLinkedQueue<>();

		private final Logger root;

		LogLines() {
			LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
			this.root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
			setContext(context);
			start();
			this.root.addAppender(this);
		}

		@Override
		protected void append(ILoggingEvent event) {
			// Commits fail when a lock was lost; servers say more than clients hear.
			if (event.getLevel().isGreaterOrEqual(Level.WARN) && !event.getLoggerName()
				.matches("org.springframework.(transaction|jdbc).*|org.apache.zookeeper.server.*")) {
				this.lines.add(event.getFormattedMessage()
						+ ((event.getThrowableProxy() != null) ? ", " + event.getThrowableProxy().getMessage() : ""));
			}
		}

		@Override
		public void close() {
			this.root.detachAppender(this);
			stop();
		}

	}

}
