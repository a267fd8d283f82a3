package io.quorlock.engine;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Which acquisitions wait for the release message of which key. The nodes are asked for
 * the messages of a key as long as somebody waits for it.
 */
final class WakeUps {

	private final Quorum quorum;

	private final ConcurrentHashMap<String, Set<Acquisition>> waiting = new ConcurrentHashMap<>();

	WakeUps(Quorum quorum) {
		this.quorum = quorum;
	}

	void watch(List<String> keys, Acquisition acquisition) {
		for (int i = 0; i < keys.size(); i++) {
			this.waiting.compute(keys.get(i), (key, acquisitions) -> {
				Set<Acquisition> all = acquisitions;
				if (all == null) {
					all = ConcurrentHashMap.newKeySet(2);
					this.quorum.nodes().forEach((node) -> node.watch(key));
				}
				all.add(acquisition);
				return all;
			});
		}
	}

	void unwatch(List<String> keys, Acquisition acquisition) {
		for (int i = 0; i < keys.size(); i++) {
			this.waiting.computeIfPresent(keys.get(i), (key, acquisitions) -> {
				acquisitions.remove(acquisition);
				if (!acquisitions.isEmpty()) {
					return acquisitions;
				}
				this.quorum.nodes().forEach((node) -> node.unwatch(key));
				return null;
			});
		}
	}

	void tell(String lockKey, Consumer<Acquisition> message) {
		Set<Acquisition> acquisitions = this.waiting.get(lockKey);
		if (acquisitions != null) {
			acquisitions.forEach(message);
		}
	}

}
