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

package io.quorlock.sample.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.fleet.Instance;
import io.quorlock.sample.shop.PackingTables;
import io.quorlock.sample.shop.PickupCounter;
import io.quorlock.sample.shop.PriceList;

/**
 * Work that shows a kind of lock, slow enough to be watched. Each scene runs until it is
 * stopped.
 */
@Component
class Scenes implements DisposableBean {

	private static final Duration SHORT = Duration.ofMillis(1_500);

	private static final Duration LONG = Duration.ofMillis(2_500);

	private final Map<Scene, List<Thread>> running = new EnumMap<>(Scene.class);

	private final Fleet fleet;

	Scenes(Fleet fleet) {
		this.fleet = fleet;
	}

	synchronized void start(Scene scene) {
		if (this.running.containsKey(scene)) {
			return;
		}
		List<Instance> instances = this.fleet.instances();
		Instance first = instances.get(0);
		Instance second = instances.get(1);
		List<Thread> cast = switch (scene) {
			case READERS ->
				List.of(reader(first, 1), reader(first, 2), reader(first, 3), reader(second, 1), writer(second));
			case PERMITS ->
				List.of(packer(first, 1), packer(first, 2), packer(first, 3), packer(second, 1), packer(second, 2));
			case QUEUE -> List.of(customer(first, 1), customer(second, 1), customer(first, 2), customer(second, 2),
					customer(first, 3));
		};
		cast.forEach(Thread::start);
		this.running.put(scene, cast);
	}

	synchronized void stop(Scene scene) {
		List<Thread> cast = this.running.remove(scene);
		if (cast != null) {
			cast.forEach(Thread::interrupt);
		}
	}

	synchronized List<Scene> running() {
		return List.copyOf(this.running.keySet());
	}

	@Override
	public void destroy() {
		new ArrayList<>(running()).forEach(this::stop);
	}

	private static Thread reader(Instance instance, int number) {
		PriceList prices = instance.context().getBean(PriceList.class);
		return thread(instance, "reader-" + number, SHORT.dividedBy(number),
				() -> prices.read(SHORT.multipliedBy(number)));
	}

	private static Thread writer(Instance instance) {
		PriceList prices = instance.context().getBean(PriceList.class);
		return thread(instance, "writer", SHORT, () -> prices.rewrite(SHORT));
	}

	private static Thread packer(Instance instance, int number) {
		PackingTables tables = instance.context().getBean(PackingTables.class);
		return thread(instance, "packer-" + number, Duration.ofMillis(300L * number), () -> tables.pack(LONG));
	}

	private static Thread customer(Instance instance, int number) {
		PickupCounter counter = instance.context().getBean(PickupCounter.class);
		return thread(instance, "customer-" + number, Duration.ofMillis(500L * number), () -> counter.serve(SHORT));
	}

	private static Thread thread(Instance instance, String role, Duration pause, Runnable work) {
		Thread thread = new Thread(() -> repeat(work, pause), instance.name() + "-" + role);
		thread.setDaemon(true);
		return thread;
	}

	private static void repeat(Runnable work, Duration pause) {
		while (!Thread.currentThread().isInterrupted()) {
			try {
				Thread.sleep(pause.toMillis());
				work.run();
			}
			catch (RuntimeException ex) {
				// For example without a quorum: the page shows it, and the next try
				// follows.
			}
			catch (InterruptedException ex) {
				return;
			}
		}
	}

	/** What can be watched. */
	enum Scene {

		/** Readers at both instances, and a writer. */
		READERS,

		/** Five for three permits. */
		PERMITS,

		/** Customers that are served in the order of asking. */
		QUEUE

	}

}
