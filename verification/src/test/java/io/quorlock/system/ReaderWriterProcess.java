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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;

/**
 * Increments two numbers in two files one after the other as a writer, and compares them
 * as a reader: only a writer that is alone keeps them alike.
 */
final class ReaderWriterProcess {

	private ReaderWriterProcess() {
	}

	/** Arguments: instance, directory, threads, increments, node URIs. */
	public static void main(String[] args) throws Exception {
		Path directory = Path.of(args[1]);
		AtomicInteger left = new AtomicInteger(Integer.parseInt(args[3]));
		AtomicReference<Throwable> failure = new AtomicReference<>();
		try (RealEngine engine = RealEngine.start(RealEngine.settings(args[0]),
				List.of(args).subList(4, args.length))) {
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < Integer.parseInt(args[2]); i++) {
				Thread thread = new Thread(() -> work(engine, directory, left, failure));
				threads.add(thread);
				thread.start();
			}
			for (Thread thread : threads) {
				thread.join();
			}
		}
		if (failure.get() != null) {
			failure.get().printStackTrace();
			System.exit(1);
		}
		System.exit(0);
	}

	private static void work(RealEngine engine, Path directory, AtomicInteger left,
			AtomicReference<Throwable> failure) {
		LockRequest request = LockRequest.of("pair").waitTime(Duration.ofSeconds(120));
		try {
			while (left.get() > 0 && failure.get() == null) {
				if (ThreadLocalRandom.current().nextInt(4) > 0) {
					engine.template.executeWithoutResult(request.shared(), () -> compare(directory));
				}
				else if (left.getAndDecrement() > 0) {
					try (LockHandle writer = engine.template.acquire(request)) {
						increment(directory.resolve("one"));
						increment(directory.resolve("two"));
						writer.downgrade();
						compare(directory);
					}
				}
			}
		}
		catch (LockException | IOException | IllegalStateException ex) {
			failure.compareAndSet(null, ex);
		}
	}

	private static void increment(Path file) throws IOException {
		Files.writeString(file, String.valueOf(Integer.parseInt(Files.readString(file)) + 1));
	}

	private static void compare(Path directory) throws IOException {
		String one = Files.readString(directory.resolve("one"));
		String two = Files.readString(directory.resolve("two"));
		if (!one.equals(two)) {
			throw new IllegalStateException("A reader saw " + one + " and " + two);
		}
	}

}
