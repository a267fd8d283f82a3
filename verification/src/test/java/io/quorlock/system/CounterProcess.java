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

import java.io.RandomAccessFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.quorlock.LockException;
import io.quorlock.LockRequest;

/**
 * Increments a number in a file under a lock, from several threads. A read and a write
 * with nothing atomic between them: only the lock keeps the total exact.
 */
final class CounterProcess {

	private CounterProcess() {
	}

	/** Arguments: instance, file, threads, increments, node URIs. */
	public static void main(String[] args) throws Exception {
		int threads = Integer.parseInt(args[2]);
		AtomicInteger left = new AtomicInteger(Integer.parseInt(args[3]));
		List<String> uris = List.of(args).subList(4, args.length);
		AtomicReference<Throwable> failure = new AtomicReference<>();
		try (RealEngine engine = RealEngine.startNow(RealEngine.settings(args[0]), uris);
				RandomAccessFile file = new RandomAccessFile(args[1], "rw")) {
			engine.awaitConnected(uris.size() / 2 + 1);
			System.out.println("READY");
			List<Thread> workers = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				Thread worker = new Thread(() -> work(engine, file, left, failure));
				worker.start();
				workers.add(worker);
			}
			for (Thread worker : workers) {
				worker.join();
			}
		}
		if (failure.get() != null) {
			failure.get().printStackTrace();
			System.exit(1);
		}
		System.out.println("DONE");
		System.exit(0);
	}

	private static void work(RealEngine engine, RandomAccessFile file, AtomicInteger left,
			AtomicReference<Throwable> failure) {
		LockRequest request = LockRequest.of("counter").waitTime(Duration.ofSeconds(120));
		try {
			while (left.getAndDecrement() > 0 && failure.get() == null) {
				engine.template.executeWithoutResult(request, () -> {
					long value = (file.length() == 0) ? 0 : read(file);
					file.seek(0);
					file.writeLong(value + 1);
				});
			}
		}
		catch (LockException | java.io.IOException ex) {
			failure.compareAndSet(null, ex);
		}
	}

	private static long read(RandomAccessFile file) throws java.io.IOException {
		file.seek(0);
		return file.readLong();
	}

}
