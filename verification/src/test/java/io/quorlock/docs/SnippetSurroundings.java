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

package io.quorlock.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import reactor.core.publisher.Mono;

import io.quorlock.LockTemplate;
import io.quorlock.fencing.FenceColumn;

/**
 * What the snippets of the documentation take for granted.
 */
abstract class SnippetSurroundings {

	protected LockTemplate lockTemplate;

	protected FenceColumn fence;

	protected Orders orders;

	protected Reports reports;

	protected Warehouse warehouse;

	protected Exporter exporter;

	protected Accounts accounts;

	protected Catalogue catalogue;

	protected Alerts alerts;

	protected Pager pager;

	protected long id;

	protected long orderId;

	interface Orders {

		String ship(long orderId);

	}

	interface Reports {

		void write();

	}

	interface Warehouse {

		int pieces(String sku);

	}

	interface Exporter {

		CompletableFuture<Path> start(long id);

	}

	interface Accounts {

		Mono<Long> load(long id);

		Mono<Long> withdraw(long id, long cents, long fence);

	}

	interface Catalogue {

		long computePrice(String sku);

	}

	interface Alerts {

		void send(String message);

	}

	interface Pager {

		void call(String message);

	}

	static final class Tenant {

		private Tenant() {
		}

		static String current() {
			return "acme";
		}

	}

	interface SecretStore {

		String current(String secret);

	}

	interface Discovery {

		List<String> urisOf(String service);

	}

	static final class OrderBusyException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		OrderBusyException(String message, Throwable cause) {
			super(message, cause);
		}

	}

	record Order(long id) {

	}

}
