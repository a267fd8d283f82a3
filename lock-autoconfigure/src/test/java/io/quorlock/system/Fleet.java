package io.quorlock.system;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;

import io.quorlock.system.ChaosClient.Pace;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances of one application, each a process, over groups of nodes (R23).
 */
final class Fleet implements AutoCloseable {

	private final Settings settings;

	private final List<FleetInstance> instances = new CopyOnWriteArrayList<>();

	/** Those that were started beside the fleet, too. */
	private final List<FleetInstance> started = new ArrayList<>();

	Fleet(Settings settings) {
		this.settings = settings;
	}

	/** Those that have not been replaced. */
	List<FleetInstance> instances() {
		return this.instances;
	}

	/** Starts an instance that is not part of the fleet. */
	FleetInstance startBeside(int threads, Pace pace, Layout layout) throws IOException {
		int number = this.started.size() + 1;
		List<String> properties = new ArrayList<>(this.settings.properties);
		properties.add("distributed-lock.instance-id=app@test:" + number);
		properties.addAll(layout.properties(this.settings.groups));
		FleetInstance instance = FleetInstance.start(this.settings.logs.resolve(number + ".log"), this.settings.port,
				threads, pace, properties);
		this.started.add(instance);
		return instance;
	}

	private FleetInstance start(Layout layout) throws IOException {
		return startBeside(this.settings.threads, this.settings.pace, layout);
	}

	/** Starts the first instances. */
	void deploy(int count, Layout layout) throws IOException {
		for (int i = 0; i < count; i++) {
			this.instances.add(start(layout));
		}
	}

	/** A rolling restart: one instance after the other, the new one first. */
	void roll(Layout layout) throws Exception {
		for (FleetInstance instance : this.instances) {
			replace(instance, layout, FleetInstance::stop);
		}
	}

	/** Replaces one instance by a new one that comes first. */
	void replace(FleetInstance instance, Layout layout, End end) throws Exception {
		FleetInstance successor = start(layout);
		this.instances.add(successor);
		this.instances.remove(instance);
		end.end(instance);
	}

	/** Waits until all instances are up and say how far the move has come. */
	void awaitSharding(String text) {
		this.instances.forEach((instance) -> Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(
					() -> assertThat(instance.health()).startsWith("UP").endsWith("sharding=version " + text + "}")));
	}

	@Override
	public void close() {
		this.started.forEach(FleetInstance::close);
	}

	/**
	 * What all instances have in common.
	 *
	 * @param groups addresses of the nodes, by the id of the group
	 * @param threads of each instance
	 * @param pace of the threads
	 * @param port of the server to which they report
	 * @param logs directory of their logs
	 * @param properties beside those of the layout
	 */
	record Settings(Map<String, List<String>> groups, int threads, Pace pace, int port, Path logs,
			List<String> properties) {
	}

	/**
	 * What the properties of a deployment say of the groups.
	 *
	 * @param version of the layout
	 * @param groups their ids, one letter each
	 * @param previous ids of the groups of the layout before, may be empty
	 */
	record Layout(int version, String groups, String previous) {

		Layout(int version, String groups) {
			this(version, groups, "");
		}

		private List<String> properties(Map<String, List<String>> nodes) {
			List<String> properties = new ArrayList<>();
			properties.add("distributed-lock.sharding.version=" + this.version);
			for (String id : ids(this.groups)) {
				properties.add("distributed-lock.groups." + id + ".nodes=" + String.join(",", nodes.get(id)));
			}
			for (String id : ids(this.previous)) {
				properties
					.add("distributed-lock.sharding.previous." + id + ".nodes=" + String.join(",", nodes.get(id)));
			}
			return properties;
		}

		private static List<String> ids(String letters) {
			return letters.chars().mapToObj(Character::toString).toList();
		}

	}

	/** How an instance ends. */
	interface End {

		void end(FleetInstance instance) throws Exception;

	}

}
