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

package io.quorlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

import io.quorlock.LockMode;

/**
 * Runs the method on one instance at a time across the whole fleet.
 *
 * <pre class="code">
 * &#64;DistributedLock("nightly-report")
 * &#64;DistributedLock(name = "order", key = "#orderId")
 * &#64;DistributedLock(name = "stock", key = "#items.![sku]")
 * </pre>
 *
 * On a class it applies to every public method; one on the method replaces the one on the
 * class as a whole. It works on calls that go through the Spring bean, not on calls
 * through {@code this}, and can be used as a meta-annotation.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface DistributedLock {

	/**
	 * Alias for {@link #name}.
	 * @return the name
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * The name of the lock, literal or with {@code ${...}} placeholders, which is also
	 * the tag {@code lock} of the meters. Default: the fully qualified name of the bean's
	 * class, {@code .}, the method's name; overloads share it.
	 * @return the name
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * SpEL expression for the key: {@code name = "order", key = "#orderId"} locks
	 * {@code order:42}. It sees the arguments by name ({@code #orderId}, {@code #a0},
	 * {@code #p0}), {@code #root} ({@code method}, {@code target}, {@code args}) and
	 * beans ({@code @bean}), and is evaluated once, at entry. A collection or an array
	 * locks all of its elements or none; {@code "#shop + '/' + #orderId"} joins several
	 * values into one key. A {@code :} in a key is written {@code %3A}. Empty: no key.
	 * @return the expression
	 */
	String key() default "";

	/**
	 * How long to wait for the lock: {@code 500ms}, {@code PT5S}, {@code ${...}}. Empty:
	 * {@code distributed-lock.wait-time}. {@code 0s} does not wait, {@code unlimited}
	 * waits until the lock is free.
	 * @return the duration
	 */
	String waitTime() default "";

	/**
	 * Holds the lock for at most this long, and never renews it. Empty: the watchdog
	 * renews the lock until the method is done.
	 * @return the duration, at most {@code distributed-lock.max-lease-time}
	 */
	String leaseTime() default "";

	/**
	 * Keeps others out for this long from the grant on, even if the method is done
	 * earlier. Empty: no longer than the method.
	 * @return the duration
	 */
	String holdAtLeast() default "";

	/**
	 * How long the lease is kept when the method is done, in case this instance wants the
	 * lock again. The next call takes it without asking the nodes; an instance that is
	 * refused meanwhile gets it after one message. Empty:
	 * {@code distributed-lock.retain-time}. Only for one exclusive lock that is renewed,
	 * neither fair nor with permits or {@link #holdAtLeast}.
	 * @return the duration
	 */
	String retainTime() default "";

	/**
	 * How the lock excludes others. {@code SHARED}: any number of readers hold it at the
	 * same time, and none exclusively.
	 * @return the mode
	 */
	LockMode mode() default LockMode.EXCLUSIVE;

	/**
	 * How many calls hold the lock at the same time, 1 to 1,000. All users of the name
	 * have to agree on the number. 0: the lock has no permits.
	 * @return the number of permits
	 */
	int permits() default 0;

	/**
	 * Whether the order of asking, in which the calls of all instances are served, also
	 * holds against calls of the instance that releases.
	 * @return whether the lock is fair
	 */
	boolean fair() default false;

	/**
	 * Whether a call that holds the lock may enter it again. If not, it gets a
	 * {@code LockReentryException} at once, whatever {@link #onContention} and
	 * {@link #fallback} say.
	 * @return whether the lock is re-entrant
	 */
	boolean reentrant() default true;

	/**
	 * What happens when another owner holds the lock for the whole wait.
	 * @return the reaction
	 */
	OnContention onContention() default OnContention.THROW;

	/**
	 * A method of the same class that is called instead when the lock was not acquired.
	 * It takes the same parameters, and optionally a {@code LockException} last: only
	 * then it is also called when no quorum of nodes replied. Empty: none.
	 * @return the method's name
	 */
	String fallback() default "";

	/**
	 * What happens when the lock is lost while the method runs.
	 * @return the reaction
	 */
	OnLost onLost() default OnLost.THROW;

	/**
	 * Reactions to a lock that another owner holds.
	 */
	enum OnContention {

		/**
		 * The caller gets a {@code LockNotAcquiredException}.
		 */
		THROW,

		/**
		 * The method does not run. The caller gets null, an empty {@code Optional},
		 * {@code Mono} or {@code Flux}, or a completed stage with null.
		 */
		SKIP

	}

	/**
	 * Reactions to a lock that was lost.
	 */
	enum OnLost {

		/**
		 * The method goes on; when it is done, the caller gets a
		 * {@code LockLostException} and the result is not used. An exception that the
		 * method itself throws is passed on, with the loss as a suppressed exception. A
		 * future or a reactive pipeline fails at once.
		 */
		THROW,

		/**
		 * The thread that runs the method is interrupted once, and never after the
		 * method; then as {@link #THROW}. The interrupt comes while the lock is still
		 * held, when a tenth of its validity is left and nothing renewed it; after a
		 * forced release or a pause of the process it comes with the loss. What the
		 * method throws after the interrupt becomes the cause of a
		 * {@code LockLostException}, and the interrupt ends with the method.
		 */
		INTERRUPT,

		/**
		 * The method's result stands, and its transaction is committed.
		 */
		IGNORE

	}

}
