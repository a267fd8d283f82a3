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

package io.quorlock.autoconfigure;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.javapoet.ClassName;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.ScheduledLock;
import io.quorlock.autoconfigure.leader.LeaderElectionAutoConfiguration;
import io.quorlock.leader.LeaderOnly;
import io.quorlock.redis.LockScript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockRuntimeHints}.
 */
class LockRuntimeHintsTests {

	@Test
	void annotationAndExpressionsAreKept() {
		RuntimeHints hints = new RuntimeHints();
		AotServices.factories().load(RuntimeHintsRegistrar.class).forEach((registrar) -> {
			if (registrar instanceof LockRuntimeHints) {
				registrar.registerHints(hints, getClass().getClassLoader());
			}
		});
		for (Class<?> annotation : List.of(DistributedLock.class, ScheduledLock.class, LeaderOnly.class)) {
			assertThat(RuntimeHintsPredicates.reflection()
				.onType(annotation)
				.withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).accepts(hints);
			assertThat(RuntimeHintsPredicates.proxies().forInterfaces(annotation)).accepts(hints);
		}
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(TypeReference.of("io.quorlock.aop.declaration.LockKeyParser$LockKeyExpression$Root"))
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
		assertThat(RuntimeHintsPredicates.resource().forResource("redis-server-7.0.15-linux-amd64")).accepts(hints);
		assertThat(RuntimeHintsPredicates.resource().forResource("io/quorlock/actuate/lock-console.html"))
			.accepts(hints);
	}

	@Test
	void bothConnectionsToZooKeeperAreInTheImage() {
		RuntimeHints hints = new RuntimeHints();
		new LockRuntimeHints().registerHints(hints, getClass().getClassLoader());
		for (String socket : List.of("ClientCnxnSocketNIO", "ClientCnxnSocketNetty")) {
			assertThat(RuntimeHintsPredicates.reflection()
				.onType(TypeReference.of("org.apache.zookeeper." + socket))
				.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).as(socket).accepts(hints);
		}
	}

	@Test
	void everyScriptAndEachOfItsPartsIsInTheImage() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		new LockRuntimeHints().registerHints(hints, getClass().getClassLoader());
		Resource[] files = new PathMatchingResourcePatternResolver().getResources("classpath*:io/quorlock/redis/*");
		assertThat(files).extracting(Resource::getFilename)
			.filteredOn((file) -> file != null && file.contains(".") && !file.endsWith(".class"))
			.contains(Stream.of(LockScript.values()).map(LockRuntimeHintsTests::fileOf).toArray(String[]::new))
			.contains("fences.lua", "clock.lua", "holders.lua", "line.lua", "acquire-free.lua")
			.allSatisfy((file) -> assertThat(RuntimeHintsPredicates.resource().forResource("io/quorlock/redis/" + file))
				.as(file)
				.accepts(hints));
	}

	private static String fileOf(LockScript script) {
		return script.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".lua";
	}

	@Test
	void applicationIsProcessedAheadOfTime() {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		TestPropertyValues.of("distributed-lock.backend=in-memory").applyTo(context);
		context.register(LockAutoConfiguration.class, LeaderElectionAutoConfiguration.class, Orders.class, Stock.class,
				Tidier.class);
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(Orders.class)), new InMemoryGeneratedFiles());
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		RuntimeHints hints = generation.getRuntimeHints();
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Orders.class, "busy")).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Stock.class, "later")).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onConstructorInvocation(LockProperties.Connection.class.getDeclaredConstructors()[0])).accepts(hints);
	}

	/** Whatever else registers methods of the bean. */
	@Test
	void fallbackIsCalledByReflection() {
		assertThat(fallbackHints(Tidier.class)).isEmpty();
		assertThat(fallbackHints(Orders.class)).hasValueSatisfying((hints) -> {
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Orders.class, "busy")).accepts(hints);
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Orders.class, "place")).rejects(hints);
		});
		assertThat(fallbackHints(Stock.class)).hasValueSatisfying(
				(hints) -> assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Stock.class, "later"))
					.accepts(hints));
	}

	private static Optional<RuntimeHints> fallbackHints(Class<?> type) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("bean", new RootBeanDefinition(type));
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(Orders.class)), new InMemoryGeneratedFiles());
		return Optional.ofNullable(new LockRuntimeHints().processAheadOfTime(RegisteredBean.of(beans, "bean")))
			.map((contribution) -> {
				contribution.applyTo(generation, mock(BeanRegistrationCode.class));
				return generation.getRuntimeHints();
			});
	}

	/** Neither its role nor its leader is known before the application starts. */
	static class Tidier {

		@LeaderOnly("${tidier.role}")
		public void tidyUp() {
		}

	}

	static class Orders {

		@DistributedLock(name = "order", key = "#id", fallback = "busy")
		public void place(long id) {
		}

		void busy(long id) {
		}

	}

	@DistributedLock(name = "stock", fallback = "later")
	static class Stock {

		public void count() {
		}

		void later() {
		}

	}

}
