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

package io.quorlock.sample.demo;

import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.nodes.DemoNodes;

/**
 * Runs the acts with {@code --demo}, or with the system property that
 * {@code mvn spring-boot:run} sets. The service runs already, and continues to run.
 */
@Component
class Demo implements ApplicationRunner {

	private final Fleet fleet;

	private final List<Act> acts;

	private final ObjectProvider<DemoNodes> embedded;

	private final Environment environment;

	Demo(Fleet fleet, List<Act> acts, ObjectProvider<DemoNodes> embedded, Environment environment) {
		this.fleet = fleet;
		this.acts = acts;
		this.embedded = embedded;
		this.environment = environment;
	}

	@Override
	public void run(ApplicationArguments arguments) throws InterruptedException {
		String demo = this.environment.getProperty("demo", "false");
		if (demo.equals("false")) {
			return;
		}
		Report report = new Report(System.out);
		Nodes nodes = Nodes.of(this.fleet.instances().get(0));
		nodes.awaitCounted(nodes.size(), 5_000);
		report.title("Quorlock");
		report.line("Lock nodes: %s, quorum %s",
				(this.embedded.getIfAvailable() != null)
						? nodes.size() + " Redis servers that this process started (no distributed-lock.nodes)"
						: "as configured",
				nodes.quorums());
		report.line("            %s", nodes.names());
		for (Act act : this.acts) {
			act.play(report);
		}
		String url = "http://127.0.0.1:" + this.environment.getProperty("local.server.port");
		report.title("The service stays up: " + url);
		report.line("Watch the locks and stop nodes: %s/", url);
		report.line("curl -s %s/stock/sneaker", url);
		report.line("curl -s %s/orders -H 'Content-Type: application/json' -d '{\"sku\":\"watch\",\"buyer\":\"Eve\"}'",
				url);
		report.line("curl -s %s/actuator/health", url);
		report.line("");
	}

}
