package io.quorlock.actuate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.NodeAnswer;

/**
 * What the answers of the nodes amount to.
 *
 * @param state as in {@link LockDescriptor#state()}
 * @param owner who holds the lock on a majority, or {@code null}
 */
record Verdict(String state, @Nullable String owner) {

	static Verdict of(List<NodeAnswer> answers, int majority) {
		Map<String, Integer> owners = new HashMap<>();
		int answered = 0;
		int free = 0;
		for (NodeAnswer answer : answers) {
			if (answer.error() != null || !answer.counted()) {
				continue;
			}
			answered++;
			if (answer.owner() == null) {
				free++;
			}
			else if (owners.merge(answer.owner(), 1, Integer::sum) >= majority) {
				return new Verdict("held", answer.owner());
			}
		}
		if (free >= majority) {
			return new Verdict("free", null);
		}
		return new Verdict((answered >= majority) ? "divided" : "unavailable", null);
	}

}
