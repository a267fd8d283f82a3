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

package io.quorlock.aop;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

import kotlin.Metadata;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.NestedExceptionUtils;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnLost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the annotation works where every optional library is absent: on a class path
 * of its own, since the classes under test see what they were loaded with.
 */
class MinimalClassPathTests {

	private static final Pattern OPTIONAL = Pattern
		.compile("reactor-|reactive-streams|spring-tx|spring-jdbc|context-propagation|micrometer-|kotlin");

	@Test
	void locksWithoutReactorTransactionsAndContextPropagation() throws Exception {
		assertThat(call(Application.class, OPTIONAL, "reactor.core.publisher.Mono",
				"io.micrometer.context.ContextSnapshot", "org.springframework.transaction.TransactionManager"))
			.isEqualTo(List.of("lock report", "unlock report", "lock stage", "unlock stage", "lock tolerant",
					"unlock tolerant", "lock outer", "lock middle", "unlock middle", "unlock outer"));
	}

	/** Reactor alone cannot run it. */
	@Test
	void refusesASuspendingFunctionWithoutTheCoroutinesOfReactor() throws Exception {
		assertThat(call(Suspending.class, Pattern.compile("kotlinx-coroutines-reactor"),
				"kotlinx.coroutines.reactor.MonoKt"))
			.asString()
			.contains("a suspending function needs kotlinx-coroutines-reactor");
	}

	private static Object call(Class<? extends Callable<?>> type, Pattern without, String... absent) throws Exception {
		try (URLClassLoader classLoader = new URLClassLoader(classPath(without),
				ClassLoader.getPlatformClassLoader())) {
			for (String name : absent) {
				assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> classLoader.loadClass(name));
			}
			ClassLoader previous = Thread.currentThread().getContextClassLoader();
			Thread.currentThread().setContextClassLoader(classLoader);
			try {
				Callable<?> application = (Callable<?>) classLoader.loadClass(type.getName())
					.getDeclaredConstructor()
					.newInstance();
				return application.call();
			}
			finally {
				Thread.currentThread().setContextClassLoader(previous);
			}
		}
	}

	private static URL[] classPath(Pattern without) {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(File::new)
			.filter((file) -> !without.matcher(file.getName()).find())
			.map(MinimalClassPathTests::url)
			.toArray(URL[]::new);
	}

	private static URL url(File file) {
		try {
			return file.toURI().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Runs on the minimal class path.
	 */
	public static class Application implements Callable<List<String>> {

		@Override
		public List<String> call() {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
					AopConfiguration.class, Reports.class, Outer.class, Middle.class, Inner.class)) {
				Reports reports = context.getBean(Reports.class);
				reports.run();
				reports.stage().join();
				reports.tolerant();
				context.getBean(Outer.class).run();
				return context.getBean(FakeLockTemplate.class).events();
			}
		}

	}

	/**
	 * Runs where Reactor is, but not its coroutines. Returns what stops the start.
	 */
	public static class Suspending implements Callable<String> {

		@Override
		public String call() {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
					AopConfiguration.class, Accounts.class)) {
				return "it starts";
			}
			catch (RuntimeException ex) {
				return String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex));
			}
		}

	}

	/** As the compiler of Kotlin makes it. */
	@Metadata
	static class Accounts {

		@DistributedLock("balance")
		public @Nullable Object balance(Continuation<? super String> continuation) {
			return null;
		}

	}

	static class Reports {

		@DistributedLock("report")
		public void run() {
		}

		@DistributedLock("stage")
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("done");
		}

		@DistributedLock(name = "tolerant", onLost = OnLost.IGNORE)
		public void tolerant() {
		}

	}

	static class Outer {

		private final Middle middle;

		Outer(Middle middle) {
			this.middle = middle;
		}

		@DistributedLock("outer")
		public void run() {
			this.middle.stage().join();
		}

	}

	static class Middle {

		private final Inner inner;

		Middle(Inner inner) {
			this.inner = inner;
		}

		@DistributedLock("middle")
		public CompletableFuture<String> stage() {
			this.inner.run();
			return CompletableFuture.completedFuture("done");
		}

	}

	static class Inner {

		/** On the thread of the stage, and in the call that holds the lock. */
		@DistributedLock("outer")
		public void run() {
		}

	}

}
