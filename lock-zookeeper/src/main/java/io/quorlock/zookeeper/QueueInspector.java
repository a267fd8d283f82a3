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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntPredicate;

import org.apache.zookeeper.KeeperException.Code;

import io.quorlock.store.NodeReport;
import io.quorlock.time.LockTimer;

/**
 * Reads the queue of a name and its permits, and empties their front by force.
 */
final class QueueInspector {

	private final StoreContext context;

	QueueInspector(StoreContext context) {
		this.context = context;
	}

	CompletionStage<List<NodeReport>> inspect(String name) {
		return report((session) -> new QueueReport(session, this.context.paths(), name));
	}

	/**
	 * Free a name.
	 * @param name the lock
	 * @param permit the number of the permit to free, 0 for everything
	 * @return what was there before
	 */
	CompletionStage<List<NodeReport>> forceRelease(String name, int permit) {
		IntPredicate released = (number) -> permit == 0 || number == permit;
		List<Runnable> removals = this.context.held(name)
			.stream()
			.filter((lease) -> released.test(lease.permit()))
			.map((lease) -> lease.revoke("it was released by force"))
			.toList();
		CompletionStage<List<NodeReport>> reports = report(
				(session) -> new QueueReport(session, this.context.paths(), name, released));
		// Not before the queue was read: the next in it would be taken for a holder.
		return reports.whenComplete((done, error) -> removals.forEach(Runnable::run));
	}

	private CompletionStage<List<NodeReport>> report(Function<Session, QueueReport> reportOf) {
		CompletableFuture<List<NodeReport>> reports = new CompletableFuture<>();
		LockTimer.Timeout timeout = this.context.timer()
			.schedule(this.context.operationTimeoutNanos(), () -> fail(reports, this.context.sessions().describe()));
		reports.whenComplete((done, error) -> timeout.cancel());
		Session session = this.context.sessions().current();
		if (session == null || !session.isReady()) {
			fail(reports, this.context.sessions().describe());
			return reports;
		}
		QueueReport report = reportOf.apply(session);
		session.requests().sync(report.containers().get(0), (code, synced) -> {
		});
		List<List<String>> found = new ArrayList<>();
		for (String container : report.containers()) {
			session.requests().children(container, (code, children) -> {
				if (code != Code.OK && code != Code.NONODE) {
					fail(reports, code.toString());
					return;
				}
				found.add((children != null) ? children : List.of());
				if (found.size() == report.containers().size()) {
					report.read(found);
					complete(session, report, reports);
				}
			});
		}
		return reports;
	}

	/** Behind all that the report reads. */
	private void complete(Session session, QueueReport report, CompletableFuture<List<NodeReport>> reports) {
		session.requests().read(this.context.paths().tokenBase(), false, (code, content) -> {
			if (code != Code.OK && code != Code.NONODE) {
				fail(reports, code.toString());
				return;
			}
			NodeReport complete = report.complete(this.context.settings().connectString(), content);
			// Behind what the report deletes.
			session.requests().sync(report.containers().get(0), (synced, done) -> {
				Code refused = report.refused();
				if (refused != null) {
					fail(reports, "the nodes cannot be deleted: " + refused);
				}
				else {
					reports.complete(List.of(complete));
				}
			});
		});
	}

	private void fail(CompletableFuture<List<NodeReport>> reports, String error) {
		reports.complete(List.of(NodeReport.failed(this.context.settings().connectString(), error)));
	}

}
