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

package io.quorlock.system;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.quorlock.system.ChaosClient.Pace;
import io.quorlock.system.ChaosHistory.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances of one application, each a process. A deployment is what the properties of
 * one release say of the nodes.
 */
final class Fleet implements AutoCloseable {

	private final Settings settings;

	private final List<FleetInstance> instances = new CopyOnWriteArrayList<>();

	/** Those that have been replaced, too. */
	private final List<FleetInstance> started = new ArrayList<>();

	Fleet(Settings settings) {
		this.settings = settings;
	}

	/** Those that have not been replaced. */
	List<FleetInstance> instances() {
		return this.instances;
	}

	private FleetInstance start(List<String> deployment) throws IOException {
		int number = this.started.size() + 1;
		List<String> properties = new ArrayList<>(this.settings.properties);
		properties.add("distributed-lock.instance-id=app@test:" + number);
		properties.addAll(deployment);
		FleetInstance instance = FleetInstance.start(this.settings.logs.resolve(number + ".log"), this.settings.port,
				this.settings.threads, this.settings.pace, properties);
		this.started.add(instance);
		return instance;
	}

	/** Starts the first instances. */
	void deploy(int count, List<String> deployment) throws IOException {
		for (int i = 0; i < count; i++) {
			this.instances.add(start(deployment));
		}
	}

	/** A rolling restart: one instance after the other, the new one first. */
	void roll(List<String> deployment) throws Exception {
		for (FleetInstance instance : this.instances) {
			replace(instance, deployment, FleetInstance::stop);
		}
	}

	/** Replaces one instance by a new one that comes first. */
	void replace(FleetInstance instance, List<String> deployment, End end) throws Exception {
		FleetInstance successor = start(deployment);
		this.instances.add(successor);
		this.instances.remove(instance);
		end.end(instance);
	}

	/**
	 * Stops the clients, and checks that nothing was violated and nobody waited in vain.
	 */
	ChaosHistory stopAndCheck(ChaosServer server, String what) throws Exception {
		server.stopClients();
		for (FleetInstance instance : instances()) {
			instance.process().awaitLine("IDLE");
		}
		ChaosHistory history = server.history();
		System.out.printf("%s under load: %,d locks of all kinds, %d failed requests%n", what, history.grants(),
				history.count(Outcome.CONTENDED) + history.count(Outcome.UNAVAILABLE));
		assertThat(history.overlaps()).as("overlaps").isEmpty();
		assertThat(history.tokensThatDoNotIncrease()).as("tokens that do not increase").isEmpty();
		assertThat(history.maxPermits()).as("permits at once").isLessThanOrEqualTo(ChaosClient.PERMITS);
		assertThat(server.resource().staleAccepted()).as("stale writes accepted").isZero();
		assertThat(history.count(Outcome.CONTENDED)).as("waited in vain").isZero();
		assertThat(history.count(Outcome.UNAVAILABLE)).as("failed requests").isZero();
		return history;
	}

	@Override
	public void close() {
		this.started.forEach(FleetInstance::close);
	}

	/**
	 * What all instances have in common.
	 *
	 * @param threads of each instance
	 * @param pace of the threads
	 * @param port of the server to which they report
	 * @param logs directory of their logs
	 * @param properties beside those of the deployment
	 */
	record Settings(int threads, Pace pace, int port, Path logs, List<String> properties) {
	}

	/** How an instance ends. */
	interface End {

		void end(FleetInstance instance) throws Exception;

	}

}
