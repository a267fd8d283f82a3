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

package example;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * What an application consists of: its jars, its beans, and how its own Redis connections
 * are made.
 */
record Inventory(List<String> jars, Map<String, String> beans, boolean pooled) {

	static final Path OF_PLAIN = Path.of("../plain/target/inventory.txt");

	static Inventory take() {
		SpringApplication application = new SpringApplication(PlainApplication.class);
		try (ConfigurableApplicationContext context = application.run("--spring.data.redis.port=1",
				"--spring.main.banner-mode=off")) {
			Map<String, String> beans = new TreeMap<>();
			for (String name : context.getBeanDefinitionNames()) {
				beans.put(name, describe(context, name));
			}
			LettuceConnectionFactory redis = context.getBean(LettuceConnectionFactory.class);
			return new Inventory(jarsOfTheClassPath(), beans,
					redis.getClientConfiguration().getClass().getSimpleName().contains("Pooling"));
		}
	}

	private static String describe(ConfigurableApplicationContext context, String name) {
		BeanDefinition definition = context.getBeanFactory().getMergedBeanDefinition(name);
		Class<?> type = context.getType(name, false);
		return "%s of %s.%s".formatted((type != null) ? type.getName().replaceAll("\\$Lambda.*", "\\$Lambda") : null,
				definition.getFactoryBeanName(), definition.getFactoryMethodName());
	}

	private static List<String> jarsOfTheClassPath() {
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		return Stream.of(classPath.split(File.pathSeparator))
			.map((entry) -> Path.of(entry).getFileName().toString())
			.filter((name) -> name.endsWith(".jar"))
			.sorted()
			.toList();
	}

	List<String> lines() {
		Stream<String> jarLines = this.jars.stream().map((jar) -> "jar " + jar);
		Stream<String> beanLines = this.beans.entrySet()
			.stream()
			.map((bean) -> "bean " + bean.getKey() + ": " + bean.getValue());
		return Stream.of(jarLines, beanLines, Stream.of("pooled " + this.pooled)).flatMap((line) -> line).toList();
	}

}
