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

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.actuate.ImportOwnAutoConfigurations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the names of this project's beans leave short names such as
 * {@code lockTemplate} to applications and to other libraries.
 */
class BeanNamesTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(HealthContributorAutoConfiguration.class,
				MetricsAutoConfiguration.class, ObservationAutoConfiguration.class,
				SimpleMetricsExportAutoConfiguration.class, TransactionAutoConfiguration.class))
		.withUserConfiguration(OwnAutoConfigurations.class)
		.withPropertyValues("management.endpoints.web.exposure.include=*",
				"management.endpoints.jmx.exposure.include=*");

	@ParameterizedTest
	@ValueSource(strings = { "in-memory", "embedded", "redlock" })
	void namesOfBeansBeginWithTheNameOfTheAnnotation(String backend) {
		this.contextRunner
			.withPropertyValues("distributed-lock.backend=" + backend, "distributed-lock.embedded.nodes=1")
			.withPropertyValues(backend.equals("redlock") ? "distributed-lock.nodes=redis://127.0.0.1:1" : "a=b")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				ConfigurableListableBeanFactory beans = context.getBeanFactory();
				assertThat(beans.getBeanDefinitionNames()).filteredOn((name) -> isMadeByOurMethod(beans, name))
					.hasSizeGreaterThan(10)
					.allSatisfy((name) -> assertThat(name).startsWith("distributedLock"));
			});
	}

	@Test
	void beansOfOthersWithShortNamesDoNotClash() {
		this.contextRunner.withUserConfiguration(OtherLibrary.class)
			.withPropertyValues("distributed-lock.backend=in-memory")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(LockTemplate.class);
				assertThat(context.getBean("lockTemplate")).isInstanceOf(Lock.class);
			});
	}

	private static boolean isMadeByOurMethod(ConfigurableListableBeanFactory beans, String name) {
		BeanDefinition definition = beans.getBeanDefinition(name);
		return definition.getFactoryMethodName() != null
				&& String.valueOf(definition.getResourceDescription()).contains("io/quorlock")
				|| String.valueOf(definition.getFactoryBeanName()).startsWith("io.quorlock");
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ImportOwnAutoConfigurations.class)
	static class OwnAutoConfigurations {

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherLibrary {

		@Bean
		Lock lockTemplate() {
			return new ReentrantLock();
		}

		@Bean
		Lock lockEngine() {
			return new ReentrantLock();
		}

		@Bean
		Lock lockInspector() {
			return new ReentrantLock();
		}

	}

}
