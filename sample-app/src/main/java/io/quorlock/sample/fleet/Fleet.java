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

package io.quorlock.sample.fleet;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.stereotype.Component;

import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.sample.nodes.DemoNodes;
import io.quorlock.sample.shop.ShopConfiguration;
import io.quorlock.sample.watch.VisitLog;
import io.quorlock.sample.watch.WatchConfiguration;

/**
 * This instance, and a second one beside it: an application context with an engine and a
 * connection pool of its own. It shares the database, the lock nodes and the log of
 * visits.
 */
@Component
public class Fleet implements AutoCloseable {

	private static final String SECOND = "shop-2";

	private final ConfigurableApplicationContext first;

	private final VisitLog visits;

	private final @Nullable DemoNodes nodes;

	private volatile @Nullable ConfigurableApplicationContext second;

	Fleet(ConfigurableApplicationContext first, VisitLog visits, ObjectProvider<DemoNodes> nodes) {
		this.first = first;
		this.visits = visits;
		this.nodes = nodes.getIfAvailable();
	}

	/**
	 * Return both instances. The second one is started by the first call.
	 * @return the instances
	 */
	public synchronized List<Instance> instances() {
		if (this.second == null) {
			this.second = start();
		}
		return running();
	}

	/**
	 * Return the instances that were started so far, without waiting for one that starts.
	 * @return the first instance, and the second if it runs
	 */
	public List<Instance> running() {
		ConfigurableApplicationContext second = this.second;
		String name = this.first.getEnvironment().getRequiredProperty("distributed-lock.instance-id");
		Instance instance = new Instance(name, this.first);
		return (second != null) ? List.of(instance, new Instance(SECOND, second)) : List.of(instance);
	}

	private ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(ShopConfiguration.class, WatchConfiguration.class)
			.environment(environment())
			.web(WebApplicationType.NONE)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.initializers(this::share)
			.run();
	}

	private void share(ConfigurableApplicationContext context) {
		context.getBeanFactory().registerSingleton("visitLog", this.visits);
		if (this.nodes != null) {
			context.getBeanFactory().registerSingleton("demoNodes", this.nodes);
		}
		this.first.getBeansOfType(EmbeddedZooKeeperEnsemble.class).forEach(context.getBeanFactory()::registerSingleton);
	}

	private ConfigurableEnvironment environment() {
		StandardEnvironment environment = new StandardEnvironment();
		this.first.getEnvironment().getPropertySources().forEach(environment.getPropertySources()::addLast);
		environment.getPropertySources()
			.addFirst(
					new MapPropertySource(SECOND, Map.of("distributed-lock.instance-id", SECOND, "spring.sql.init.mode",
							"never", "spring.main.web-application-type", "none", "spring.main.banner-mode", "off")));
		return environment;
	}

	@Override
	public synchronized void close() {
		ConfigurableApplicationContext second = this.second;
		if (second != null) {
			this.second = null;
			second.close();
		}
	}

}
