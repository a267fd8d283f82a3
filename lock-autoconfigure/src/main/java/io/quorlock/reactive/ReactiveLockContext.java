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

package io.quorlock.reactive;

import java.util.Optional;

import reactor.core.publisher.Mono;

import io.quorlock.Api;
import io.quorlock.LockContext;
import io.quorlock.LockHandle;

/**
 * The locks that a Reactor pipeline holds, for its operators. They run on any thread, so
 * that {@link LockContext} knows the lock only in the body of the locked method, or with
 * {@code spring.reactor.context-propagation=auto}.
 *
 * <pre class="code">
 * &#64;DistributedLock(name = "account", key = "#id")
 * Mono&lt;Account&gt; withdraw(long id, long cents) {
 *     return this.accounts.findById(id)
 *         .zipWith(ReactiveLockContext.fencingToken())
 *         .flatMap((found) -> this.accounts.withdraw(found.getT1(), cents, found.getT2()));
 * }
 * </pre>
 *
 * @since 0.1.0
 * @see LockContext
 */
@Api(Api.Status.STABLE)
public final class ReactiveLockContext {

	private ReactiveLockContext() {
	}

	/**
	 * Return the innermost lock of the pipeline.
	 * @return the lock, or empty if the pipeline holds none
	 */
	public static Mono<LockHandle> current() {
		return Mono.deferContextual((view) -> {
			Optional<LockContext> context = view.getOrEmpty(LockContextThreadLocalAccessor.KEY);
			return Mono.justOrEmpty(context.map(LockContext::handle));
		});
	}

	/**
	 * Return the fencing token of the innermost lock of the pipeline.
	 * @return the token; an {@link IllegalStateException} if the pipeline holds no lock,
	 * or one of several names
	 */
	public static Mono<Long> fencingToken() {
		return current()
			.switchIfEmpty(Mono
				.error(() -> new IllegalStateException("The pipeline holds no lock, so there is no fencing token")))
			.map(LockHandle::fencingToken);
	}

}
