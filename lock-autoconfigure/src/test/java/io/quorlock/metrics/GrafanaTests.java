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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.ObservedEngine;
import io.quorlock.engine.SwitchableNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the dashboard and the alert rules against what an engine that worked, and lost a
 * lock, reports to Prometheus, and tests the rules with Prometheus' own tool.
 */
class GrafanaTests {

	private static final Path GRAFANA = Path.of("..", "docs", "grafana");

	private static final Pattern METRIC = Pattern.compile("distributed_lock_[a-z_]+");

	private static final Pattern SAMPLE = Pattern.compile("(?m)^(distributed_lock_[a-z_]+)[{ ]");

	private static final Pattern SELECTOR = Pattern.compile("distributed_lock_[a-z_]+\\{([^}]*)}");

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void everyMetricThatIsQueriedExists(boolean observations) throws IOException {
		String scrape = scrape(observations);
		Set<String> queried = matches(METRIC, dashboard() + alerts(), 0);
		assertThat(queried).hasSizeGreaterThan(10);
		assertThat(matches(SAMPLE, scrape, 1)).containsAll(queried);
		assertThat(scrape).contains("distributed_lock_lost_total{lock=\"order\"} 1.0");
	}

	@Test
	void everyLabelThatIsQueriedExists() throws IOException {
		Set<String> labels = new TreeSet<>();
		for (String selector : matches(SELECTOR, dashboard().replace("\\\"", "\"") + alerts(), 1)) {
			labels.addAll(matches(Pattern.compile("([a-z]+)=~?\""), selector, 1));
		}
		// application is a common tag, instance comes from Prometheus.
		assertThat(labels).containsExactly("application", "instance", "outcome");
		assertThat(matches(Pattern.compile("([a-z]+)=\""), scrape(true), 1)).contains("outcome", "lock", "node",
				"group");
	}

	/** So that they reach the team whose locks they are about. */
	@Test
	void everyAlertOnLocksSaysOfWhichApplication() throws IOException {
		Set<String> labels = new TreeSet<>();
		for (String rule : alerts().split("- alert: ")) {
			if (rule.contains("expr:") && rule.contains("distributed_lock_")) {
				assertThat(rule).contains(" by (");
				labels.addAll(matches(Pattern.compile(" by \\((\\w+)"), rule, 1));
			}
		}
		assertThat(labels).containsExactly("application");
	}

	@Test
	void theDashboardIsWellFormed() throws IOException {
		JsonNode panels = JsonMapper.shared().readTree(dashboard()).get("panels");
		Set<Integer> ids = new TreeSet<>();
		panels.forEach((panel) -> {
			assertThat(panel.get("title").asString()).isNotEmpty();
			assertThat(panel.get("targets")).isNotEmpty();
			ids.add(panel.get("id").asInt());
		});
		assertThat(ids).hasSize(panels.size());
	}

	@Test
	void theAlertsAreWellFormed() throws IOException {
		assertThat(new Yaml().<Object>load(alerts()).toString()).contains("DistributedLockLost",
				"DistributedLockQuorumAtRisk", "DistributedLockLongWaits");
	}

	private static String dashboard() throws IOException {
		return Files.readString(GRAFANA.resolve("quorlock.json"));
	}

	private static String alerts() throws IOException {
		return Files.readString(GRAFANA.resolve("alerts.yml"));
	}

	private static Set<String> matches(Pattern pattern, String text, int group) {
		Set<String> found = new TreeSet<>();
		for (Matcher matcher = pattern.matcher(text); matcher.find();) {
			found.add(matcher.group(group));
		}
		return found;
	}

	private static String scrape(boolean observations) {
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		LockTags tags = new LockTags();
		try (ObservedEngine observed = new ObservedEngine(3, Duration.ofSeconds(1))) {
			LockMeters meters = new LockMeters(registry, tags);
			observed.listeners.add(meters);
			observed.nodeObservers.add(meters);
			if (observations) {
				ObservationRegistry observationRegistry = ObservationRegistry.create();
				observationRegistry.observationConfig()
					.observationHandler(new DefaultMeterObservationHandler(registry));
				observed.requestObservers.add(new LockObservations(observationRegistry, tags, null, null));
			}
			else {
				observed.requestObservers.add(LockMeters.timers(registry, tags));
			}
			observed.start();
			new LockGauges(observed.inspector(), tags, List.of()).bindTo(registry);
			observed.template().acquire(LockRequest.of("order").key(1)).close();
			LockHandle lost = observed.template().acquire(LockRequest.of("order").key(2));
			Awaitility.await().until(() -> registry.scrape().contains("distributed_lock_renewals_total"));
			observed.nodes.forEach(SwitchableNode::silence);
			Awaitility.await()
				.until(() -> registry.scrape().contains("distributed_lock_lost_total{lock=\"order\"} 1.0"));
			assertThat(lost.isHeld()).isFalse();
			return registry.scrape();
		}
	}

	@Test
	void rulesAreWellFormed() throws Exception {
		Promtool.run(GRAFANA, "check", "rules", "alerts.yml");
	}

	@Test
	void rulesPassTheirTests() throws Exception {
		Promtool.run(GRAFANA, "test", "rules", "alerts.test.yml");
	}

}
