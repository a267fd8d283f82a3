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

package io.quorlock.simulation;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.simulation.Violation.Invariant;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulation must find every deliberate defect. What it finds is written to
 * {@code target/mutants.md}.
 */
@Tag("proof")
@ExtendWith(QuietEngine.class)
class MutantTests {

	/**
	 * Only mutants whose rule or name contains this, as in
	 * {@code -Dmutants.rules=R19|R20}.
	 */
	private static final Pattern RULES = Pattern.compile(System.getProperty("mutants.rules", ""));

	private static final long FIRST_SEED = 1;

	private static final long MAX_SCHEDULES = 100_000;

	@Test
	@Timeout(value = 40, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void everyMutantIsCaught() throws Exception {
		List<String> table = new ArrayList<>(List.of("| defect | rule | caught by | schedules |", "|---|---|---|---|"));
		List<String> survivors = new ArrayList<>();
		List<Mutant> mutants = Mutants.ALL.stream()
			.filter((mutant) -> RULES.matcher(mutant.rule() + " " + mutant.name()).find())
			.toList();
		List<String[]> hunts = mutants.parallelStream().map(MutantTests::hunt).toList();
		for (int i = 0; i < hunts.size(); i++) {
			Mutant mutant = mutants.get(i);
			String[] caught = hunts.get(i);
			table.add("| %s | %s | %s | %s |".formatted(mutant.name(), mutant.rule(), caught[0], caught[1]));
			if (caught[0].isEmpty() || caught[0].equals(Invariant.NO_ERROR.name())) {
				survivors.add(mutant.name() + " " + caught[2]);
			}
		}
		Files.write(Path.of("target", "mutants.md"), table);
		System.out.println("Mutants:\n" + String.join("\n", table));
		assertThat(survivors).isEmpty();
		assertThat(Mutants.ALL).hasSizeGreaterThanOrEqualTo(20);
	}

	private static String[] hunt(Mutant mutant) {
		long start = System.nanoTime();
		String[] caught = huntDown(mutant);
		System.out.printf("%s, %s: caught by '%s' after %s schedules and %d s %s%n", mutant.rule(), mutant.name(),
				caught[0], caught[1], TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), caught[2]);
		return caught;
	}

	private static String[] huntDown(Mutant mutant) {
		try {
			MutantLoader loader = new MutantLoader(mutant);
			String test = mutant.test();
			if (test != null) {
				return fails(loader, test) ? new String[] { test, "", "" } : new String[] { "", "", "passes " + test };
			}
			Class<?> campaign = loader.loadClass(Campaign.class.getName());
			Method hunt = campaign.getDeclaredMethod("hunt", long.class, long.class, long.class);
			hunt.setAccessible(true);
			return (String[]) hunt.invoke(null, FIRST_SEED, MAX_SCHEDULES, TimeUnit.MINUTES.toNanos(2));
		}
		catch (IOException | ReflectiveOperationException | IllegalStateException ex) {
			// The others are hunted all the same.
			return new String[] { "", "", "cannot be hunted: " + ex };
		}
	}

	/** A test that waits for ever fails, as its own time limit would make it. */
	private static boolean fails(MutantLoader loader, String test) throws ReflectiveOperationException {
		int hash = test.indexOf('#');
		Class<?> type = loader.loadClass("io.quorlock." + test.substring(0, hash));
		Constructor<?> constructor = type.getDeclaredConstructor();
		constructor.setAccessible(true);
		Object instance = constructor.newInstance();
		List<Method> methods = methods(type);
		FutureTask<Boolean> run = new FutureTask<>(() -> {
			try {
				run(methods, instance, test.substring(hash + 1));
				return false;
			}
			catch (InvocationTargetException ex) {
				return true;
			}
		});
		Thread thread = new Thread(run, "mutant");
		thread.setDaemon(true);
		thread.start();
		try {
			return run.get(60, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			return true;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(test + " could not be run", ex);
		}
	}

	/** What is checked behind the test is a part of it. */
	private static void run(List<Method> methods, Object instance, String test) throws Exception {
		try {
			invoke(methods, instance, (method) -> method.isAnnotationPresent(BeforeAll.class));
			invoke(methods, instance, (method) -> method.isAnnotationPresent(BeforeEach.class));
			invoke(methods, instance, (method) -> method.getName().equals(test));
		}
		finally {
			try {
				invoke(methods, instance, (method) -> method.isAnnotationPresent(AfterEach.class));
			}
			finally {
				invoke(methods, instance, (method) -> method.isAnnotationPresent(AfterAll.class));
				close(instance.getClass(), instance);
			}
		}
	}

	private static void close(Class<?> type, Object instance) throws Exception {
		for (Field field : type.getDeclaredFields()) {
			if (field.isAnnotationPresent(AutoClose.class)) {
				field.setAccessible(true);
				((AutoCloseable) field.get(instance)).close();
			}
		}
	}

	private static void invoke(List<Method> methods, Object instance, Predicate<Method> which)
			throws ReflectiveOperationException {
		for (Method method : methods) {
			if (which.test(method)) {
				method.setAccessible(true);
				method.invoke(instance);
			}
		}
	}

	/** Those of a contract included. */
	private static List<Method> methods(Class<?> type) {
		List<Method> methods = new ArrayList<>(List.of(type.getDeclaredMethods()));
		if (type.getSuperclass() != null) {
			methods.addAll(methods(type.getSuperclass()));
		}
		return methods;
	}

	@Test
	void everyTestThatCatchesAMutantPassesWithoutIt() throws Exception {
		Mutant none = new Mutant("nothing", "", List.of(), null);
		for (Mutant mutant : Mutants.ALL) {
			String test = mutant.test();
			if (test != null) {
				assertThat(fails(new MutantLoader(none), test)).as(test).isFalse();
			}
		}
	}

}
