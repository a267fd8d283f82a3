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

package io.quorlock.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

import org.jspecify.annotations.Nullable;

/**
 * A JVM of its own that runs part of a study. Forks can meet at barriers: each prints
 * {@code ready} and waits for a line.
 */
final class Fork implements AutoCloseable {

	private static final String READY = "ready";

	private static final int LIMIT_MINUTES = 20;

	private final Process process;

	private final BufferedReader output;

	private Fork(Process process) {
		this.process = process;
		this.output = process.inputReader(StandardCharsets.UTF_8);
	}

	static Fork start(Plan plan, ForkTask task) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(Benchmarks.study(task.study()).heap());
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), ForkMain.class.getName()));
		command.addAll(task.arguments());
		command.addAll(plan.arguments());
		try {
			Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			CompletableFuture.delayedExecutor(LIMIT_MINUTES, TimeUnit.MINUTES).execute(process::destroyForcibly);
			return new Fork(process);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start forks that meet only at barriers of their own, and wait for their ends.
	 */
	static void run(Plan plan, List<ForkTask> tasks) {
		run(plan, tasks, (barrier) -> {
		});
	}

	/**
	 * Start forks and wait for their ends.
	 * @param tasks one for each fork; they run together
	 * @param atBarrier called with the barrier's number while all of them wait there
	 */
	static void run(Plan plan, List<ForkTask> tasks, IntConsumer atBarrier) {
		List<Fork> forks = tasks.stream().map((task) -> start(plan, task)).toList();
		try {
			for (int barrier = 0; forks.stream().filter(Fork::awaitReady).count() == forks.size(); barrier++) {
				atBarrier.accept(barrier);
				forks.forEach(Fork::go);
			}
			for (Fork fork : forks) {
				int status = fork.process.waitFor();
				if (status != 0) {
					throw new IllegalStateException("A fork of " + tasks + " ended with status " + status);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			forks.forEach(Fork::close);
		}
	}

	/**
	 * Called in a fork: wait until all forks of the study have reached the barrier.
	 */
	static void awaitOthers() throws IOException {
		System.out.println(READY);
		if (System.in.read() < 0) {
			throw new IOException("The main program has ended");
		}
	}

	private boolean awaitReady() {
		try {
			@Nullable String line;
			while ((line = this.output.readLine()) != null) {
				if (line.equals(READY)) {
					return true;
				}
				System.out.println(line);
			}
			return false;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private void go() {
		try {
			this.process.getOutputStream().write('\n');
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
