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

import java.util.List;
import java.util.function.Consumer;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

import io.quorlock.zookeeper.SessionRequests.Reply;

/**
 * Prepares a session before it is used, and again if the root is deleted: its heartbeat
 * node, and the number that fencing tokens are counted from.
 *
 * @param requests the session's requests
 * @param paths where nodes are
 * @param heartbeatPath the heartbeat node, which only this session knows
 * @param tokenBase what fencing tokens are counted from
 * @param done receives {@link Code#OK} when the session can be used, otherwise what
 * hinders it
 */
record SessionSetup(SessionRequests requests, LockPaths paths, String heartbeatPath, FencingTokens.Base tokenBase,
		Consumer<Code> done) {

	void start() {
		createHeartbeat(true);
	}

	private void createHeartbeat(boolean mayCreateParents) {
		this.requests.create(this.heartbeatPath, SessionRequests.NOTHING, CreateMode.EPHEMERAL, (code, created) -> {
			if (code == Code.NONODE && mayCreateParents) {
				createParents();
			}
			else if (created != null) {
				raiseTokenBase(created.getCzxid());
			}
			else if (code == Code.NODEEXISTS) {
				beat();
			}
			else {
				this.done.accept(code);
			}
		});
	}

	/** There was no reply to its create. */
	private void beat() {
		this.requests.write("heartbeat", this.heartbeatPath, SessionRequests.NOTHING, -1, (code, stat) -> {
			if (stat != null) {
				raiseTokenBase(stat.getMzxid());
			}
			else {
				this.done.accept(code);
			}
		});
	}

	private void raiseTokenBase(long zxid) {
		this.tokenBase.raise(zxid, (raised) -> {
			if (raised == Code.OK) {
				// Servers older than 3.6 refuse it: better now than when a claim has to
				// wait.
				this.requests.look(List.of(), this.paths.tokenBase(), (code, results) -> this.done.accept(code));
			}
			else {
				this.done.accept(raised);
			}
		});
	}

	/** All at once: one behind the other in the same session. */
	private void createParents() {
		for (String parent : this.paths.rootAndParents()) {
			this.requests.create(parent, SessionRequests.NOTHING, CreateMode.PERSISTENT, Reply.ignored());
		}
		this.requests.create(this.paths.sessions(), SessionRequests.NOTHING, CreateMode.CONTAINER, (code, created) -> {
			if (code == Code.OK || code == Code.NODEEXISTS) {
				createHeartbeat(false);
			}
			else {
				this.done.accept(code);
			}
		});
	}

}
