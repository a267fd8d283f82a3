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

package io.quorlock.zookeeper;

import java.util.function.Consumer;

import org.apache.zookeeper.KeeperException.Code;

import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Grant;
import io.quorlock.zookeeper.Look.Situation;

/**
 * What keeps a claim from being granted: the node in front, which alone is watched, and
 * what is known of its owner.
 */
final class Obstacle {

	private final QueuePlace place;

	private final long settlingMillis;

	private final Listener listener;

	private volatile boolean forgotten;

	private volatile Runnable unwatch = () -> {
	};

	/**
	 * Create a new obstacle.
	 * @param place where the claim stands
	 * @param settlingMillis for how long a node may stand in front because it is about to
	 * give up
	 * @param listener is notified of what is found
	 */
	Obstacle(QueuePlace place, long settlingMillis, Listener listener) {
		this.place = place;
		this.settlingMillis = settlingMillis;
		this.listener = listener;
	}

	/**
	 * Watch the nearest in front, and find out which claim is the first.
	 * @param blocked what is in front
	 * @param explain whether a caller needs to know the first
	 */
	void blocked(Situation.Blocked blocked, boolean explain) {
		if (blocked.next().equals(blocked.first())) {
			watch(blocked.next(), (content) -> held(blocked.next(), content, explain));
			return;
		}
		watch(blocked.next(), (content) -> {
		});
		if (explain) {
			read(blocked.first(), false, (content) -> held(blocked.first(), content, true));
		}
	}

	void coolingDown(Situation.CoolingDown cooling) {
		watch(cooling.path(), (content) -> coolingDown(cooling.path(), content));
	}

	/** Report nothing any more. */
	void forget() {
		this.forgotten = true;
		this.unwatch.run();
	}

	/** Look again when the node is gone; no other claim is woken by it. */
	private void watch(String path, Consumer<SessionRequests.Content> reader) {
		this.unwatch = this.place.session().watches().on(path, (event) -> lookAgain(0));
		read(path, true, reader);
	}

	private void read(String path, boolean watch, Consumer<SessionRequests.Content> reader) {
		this.place.asks("read " + path);
		this.place.session().requests().read(path, watch, (code, content) -> {
			this.place.isReplied();
			if (content != null) {
				if (!this.forgotten) {
					reader.accept(content);
				}
			}
			else if (code == Code.NONODE) {
				lookAgain(0);
			}
			else if (code == Code.CONNECTIONLOSS) {
				this.place.session().resume(() -> lookAgain(0));
			}
			else if (!this.forgotten) {
				// Nothing watches the node, so that its end would not be noticed.
				this.listener.onUnreadable(this.place, code);
			}
		});
	}

	private void held(String path, SessionRequests.Content content, boolean explain) {
		// The servers' clocks may have been set since: what was seen counts as well.
		long age = Math.max(this.place.serverMillis() - content.stat().getCtime(), this.place.firstForMillis(path));
		if (explain && age < this.settlingMillis) {
			lookAgain((this.settlingMillis - age) * 1_000_000);
			return;
		}
		String instance = Grant.instanceOf(content.text());
		this.listener.onHeld(
				new ClaimFailure.Held(instance, "%s is first in the queue, for %d ms so far".formatted(instance, age)));
	}

	private void coolingDown(String path, SessionRequests.Content content) {
		Cooldown cooldown = Cooldown.parse(content.text());
		Sightings sightings = this.place.context().cooldowns();
		long remaining = cooldown.remainingMillis(this.place.serverMillis() - content.stat().getCtime(),
				sightings.ageMillis(path, content.stat().getCzxid(), cooldown.millis()));
		if (remaining <= 0) {
			forget();
			sightings.forget(path);
			Cooldown.delete(this.place.session().requests(), path.substring(0, path.lastIndexOf('/')));
			this.listener.lookAgain(this.place, 0);
			return;
		}
		lookAgain(remaining * 1_000_000);
		String instance = Grant.instanceOf(cooldown.owner());
		this.listener.onHeld(new ClaimFailure.Held(instance,
				"%s released it, and keeps others out for another %d ms".formatted(instance, remaining)));
	}

	private void lookAgain(long delayNanos) {
		if (!this.forgotten) {
			this.listener.lookAgain(this.place, delayNanos);
		}
	}

	/**
	 * Is notified on threads of the store.
	 */
	interface Listener {

		/**
		 * Look at the queues once more.
		 * @param from the place that looks
		 * @param delayNanos not before this time has passed
		 */
		void lookAgain(QueuePlace from, long delayNanos);

		/**
		 * The holder of the name is known.
		 * @param held the holder
		 */
		void onHeld(ClaimFailure.Held held);

		/**
		 * The servers refuse to show what is in front.
		 * @param from the place that looks
		 * @param code why
		 */
		void onUnreadable(QueuePlace from, Code code);

	}

}
