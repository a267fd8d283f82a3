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

package io.quorlock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.quorlock.quorum.node.InstanceMessage;

/**
 * The grants that a store holds, and what messages to this instance mean to them (R24).
 */
final class Grants {

	static final String FORCED = "an operator released it by force";

	/** A grant that is held. */
	interface Member {

		List<String> names();

		/** Return whether a token is its owner. */
		boolean isOf(String owner);

		int permit();

		/** The release was requested. Follows {@link #wanted()}. */
		void releaseRequested(String id, Duration deadline);

		/** Another instance wants the lock, so that the lease must not be retained. */
		void wanted();

		/**
		 * An operator takes the lock away.
		 * @return its release, to be sent when the operator has seen who holds the name
		 */
		Runnable revoke(String reason);

	}

	/** By owner, those that may be kept while they are unused: others want them often. */
	private final Map<String, Member> retainable = new ConcurrentHashMap<>();

	private final Set<Member> held = ConcurrentHashMap.newKeySet();

	void add(Member grant) {
		this.held.add(grant);
	}

	void remove(Member grant) {
		this.held.remove(grant);
	}

	void addRetainable(String owner, Member grant) {
		this.retainable.put(owner, grant);
	}

	void removeRetainable(String owner) {
		this.retainable.remove(owner);
	}

	/** Return those that hold a name now; what is granted meanwhile is not among them. */
	List<Member> of(String name) {
		return held((grant) -> grant.names().contains(name));
	}

	/** Walks over all of them, since it is seldom asked for. */
	private List<Member> held(Predicate<Member> which) {
		return this.held.stream().filter(which).toList();
	}

	/** A message concerns a lease of this instance. */
	void received(InstanceMessage message) {
		if (message instanceof InstanceMessage.LeaseWanted wanted) {
			Optional.ofNullable(this.retainable.get(wanted.owner())).ifPresent(Member::wanted);
		}
		else if (message instanceof InstanceMessage.ReleaseRequested request) {
			of(request.owner(), (grant) -> {
				grant.wanted();
				grant.releaseRequested(request.id(), request.deadline());
			});
		}
		else if (message instanceof InstanceMessage.Forced forced) {
			of(forced.owner(), (grant) -> {
				if (forced.permit() == 0 || forced.permit() == grant.permit()) {
					grant.revoke(FORCED).run();
				}
			});
		}
	}

	private void of(String owner, Consumer<Member> action) {
		held((grant) -> grant.isOf(owner)).forEach(action);
	}

}
