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

package io.quorlock.metrics;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.engine.SwitchableNode;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs an application with the default lease through a stall that loses nothing and an
 * outage that does, scrapes it, and lets Prometheus' own tool say which alerts fire.
 */
@Tag("long")
class StartedApplicationAlertsTests {

	private static final Path GRAFANA = Path.of("..", "docs", "grafana").toAbsolutePath().normalize();

	private static final Pattern SAMPLE = Pattern.compile("(?m)^(distributed_lock_\\w+\\{[^}]*})\\s(\\S+)$");

	private static final Duration SCRAPE_INTERVAL = Duration.ofSeconds(10);

	private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(10);

	private static final int LOCKS = 40;

	private final List<Map<String, String>> scrapes = new ArrayList<>();

	private int beforeLoss;

	@Test
	void alertsFireInAnOutageBeforeLocksAreLostAndNotInAStall(@TempDir Path directory) throws Exception {
		Promtool.run(GRAFANA, "--version");
		Nodes.nodes.clear();
		try (ConfigurableApplicationContext context = start()) {
			PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
			LockTemplate template = context.getBean(LockTemplate.class);
			List<LockHandle> held = new ArrayList<>();
			for (int key = 0; key < LOCKS; key++) {
				held.add(template.acquire(LockRequest.of("order").key(key)));
				await(RENEWAL_INTERVAL.dividedBy(LOCKS));
			}
			scrapeFor(registry, 2);
			Nodes.nodes.forEach(SwitchableNode::silence);
			await(SCRAPE_INTERVAL.dividedBy(2));
			Nodes.nodes.forEach(SwitchableNode::speak);
			scrapeFor(registry, 3);
			assertThat(held).allMatch(LockHandle::isHeld);
			assertThat(sum("distributed_lock_renewals_total", "failure")).isPositive();
			int outage = this.scrapes.size();
			Nodes.nodes.forEach(SwitchableNode::silence);
			scrapeUntil(registry, () -> held.stream().noneMatch(LockHandle::isHeld));
			int lost = this.scrapes.size() - 1;
			Nodes.nodes.forEach(SwitchableNode::cutOff);
			scrapeFor(registry, 5);
			Map<Integer, Set<String>> expected = new TreeMap<>();
			for (int scrape = 0; scrape < outage; scrape++) {
				expected.put(scrape, Set.of());
			}
			// A third of the validity is one scrape interval, so that the scrape before
			// the first loss shows the first lock at risk in some runs and not in others.
			this.beforeLoss = firstLoss(outage) - 1;
			expected.put(this.beforeLoss, Set.of("DistributedLockRenewalsFail"));
			expected.put(lost, Set.of("DistributedLockRenewalsFail", "DistributedLockAtRisk", "DistributedLockLost"));
			expected.put(this.scrapes.size() - 1,
					Set.of("DistributedLockAtRisk", "DistributedLockLost", "DistributedLockQuorumLost"));
			Files.writeString(directory.resolve("test.yml"), test(expected));
			Promtool.run(directory, "test", "rules", "test.yml");
		}
	}

	private int firstLoss(int from) {
		for (int scrape = from; scrape < this.scrapes.size(); scrape++) {
			if (this.scrapes.get(scrape)
				.entrySet()
				.stream()
				.anyMatch((sample) -> sample.getKey().startsWith("distributed_lock_lost_total")
						&& Double.parseDouble(sample.getValue()) > 0)) {
				return scrape;
			}
		}
		throw new AssertionError("Nothing was lost");
	}

	private void scrapeFor(PrometheusMeterRegistry registry, int scrapes) {
		int until = this.scrapes.size() + scrapes;
		scrapeUntil(registry, () -> this.scrapes.size() >= until);
	}

	private static void await(Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> System.nanoTime() - end >= 0);
	}

	private double sum(String metric, String outcome) {
		return this.scrapes.get(this.scrapes.size() - 1)
			.entrySet()
			.stream()
			.filter((sample) -> sample.getKey().startsWith(metric) && sample.getKey().contains(outcome))
			.mapToDouble((sample) -> Double.parseDouble(sample.getValue()))
			.sum();
	}

	/** Scrape at the pace of Prometheus: the rules compare rates. */
	private void scrapeUntil(PrometheusMeterRegistry registry, BooleanSupplier done) {
		while (!done.getAsBoolean()) {
			await(SCRAPE_INTERVAL);
			Map<String, String> scrape = new TreeMap<>();
			for (Matcher sample = SAMPLE.matcher(registry.scrape()); sample.find();) {
				scrape.put(sample.group(1).replace("{", "{instance=\"a\","), sample.group(2));
			}
			this.scrapes.add(scrape);
		}
	}

	private String test(Map<Integer, Set<String>> expected) {
		StringBuilder test = new StringBuilder("rule_files: [ " + GRAFANA.resolve("alerts.yml")
				+ " ]\nevaluation_interval: " + SCRAPE_INTERVAL.toSeconds() + "s\ntests:\n  - interval: "
				+ SCRAPE_INTERVAL.toSeconds() + "s\n    input_series:\n");
		Set<String> series = new TreeSet<>();
		this.scrapes.forEach((scrape) -> series.addAll(scrape.keySet()));
		for (String each : series) {
			test.append("      - series: '").append(each).append("'\n        values: '");
			this.scrapes.forEach((scrape) -> test.append(scrape.getOrDefault(each, "_")).append(' '));
			test.append("'\n");
		}
		test.append("    promql_expr_test:\n");
		expected.forEach((scrape, alerts) -> {
			String others = (scrape == this.beforeLoss) ? ",alertname!=\"DistributedLockAtRisk\"" : "";
			test.append("      - expr: count by (alertname) (ALERTS{alertstate=\"firing\"" + others
					+ "})\n        eval_time: ")
				.append(scrape * SCRAPE_INTERVAL.toSeconds())
				.append("s\n        exp_samples:\n");
			new TreeSet<>(alerts)
				.forEach((alert) -> test.append("          - { labels: '{alertname=\"" + alert + "\"}', value: 1 }\n"));
			if (alerts.isEmpty()) {
				test.insert(test.length() - 1, " []");
			}
		});
		return test.toString();
	}

	private static ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(Nodes.class).web(WebApplicationType.NONE)
			.run("--management.metrics.tags.application=shop", "--management.defaults.metrics.export.enabled=false",
					"--management.prometheus.metrics.export.enabled=true");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Nodes {

		static final List<SwitchableNode> nodes = new ArrayList<>();

		@Bean
		LockBackend lockBackend() {
			for (int i = 1; i <= 3; i++) {
				nodes.add(new SwitchableNode(new InMemoryLockNode("redis-" + i + ":6379", new SystemClock())));
			}
			return new LockBackend("redlock", List.<LockNode>copyOf(nodes));
		}

	}

}
