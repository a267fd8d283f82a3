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
