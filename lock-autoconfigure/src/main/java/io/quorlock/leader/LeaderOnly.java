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

package io.quorlock.leader;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method only on the instance that leads a role; on all others the call is
 * skipped. Made for scheduled methods:
 *
 * <pre class="code">
 * &#64;LeaderOnly("scheduler")
 * &#64;Scheduled(fixedDelay = 5_000)
 * void tidyUp() {
 *     store.deleteExpired(LockContext.fencingToken());
 * }
 * </pre>
 *
 * While the method runs, the lock of the role is the innermost one of
 * {@link io.quorlock.LockContext} and is not released: an instance that resigns meanwhile
 * hands the role over when the method has returned. If the lock is lost, the caller gets
 * a {@link io.quorlock.LockLostException} at the end of the method.
 * <p>
 * A skipped call returns {@code null}, or an empty {@link java.util.Optional}. A method
 * that returns a primitive, a future or a reactive type is refused at startup, and so is
 * one that Spring calls on the bean itself, such as a {@code @PostConstruct} method. As
 * with every proxy, a call through {@code this} is not seen.
 *
 * @since 0.1.0
 * @see LeaderElection
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LeaderOnly {

	/**
	 * The role, one of {@code distributed-lock.leader.roles}. May have {@code ${...}}
	 * placeholders.
	 * @return the role
	 */
	String value();

}
