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

package io.quorlock;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * What to lock, and how. Immutable: each method returns a changed copy.
 *
 * <pre class="code">
 * LockRequest.of("order").key(42).waitTime(Duration.ofSeconds(2))
 * </pre>
 *
 * @since 0.1.0
 * @see LockTemplate#acquire(LockRequest)
 */
public final class LockRequest {

	/**
	 * A wait time that never ends. The wait ends with an interrupt, with a cancelled
	 * future, or when the context is stopped. Neither
	 * {@code distributed-lock.retry.max-attempts} nor
	 * {@code distributed-lock.unavailable-fail-fast} applies.
	 */
	public static final Duration UNLIMITED_WAIT = Duration.ofDays(36_500);

	/** The greatest number of permits of a lock. */
	public static final int MAX_PERMITS = 1_000;

	/**
	 * The greatest number of names that are locked together. Each of them is part of one
	 * script or transaction, during which a server does nothing else.
	 */
	public static final int MAX_NAMES = 256;

	/** Longer ones are mistakes in the unit, and would not fit into the arithmetic. */
	static final Duration MAX_HOLD = Duration.ofDays(3653);

	private final String baseName;

	// Changed before anybody has the request.

	private List<String> names;

	private @Nullable Duration waitTime;

	private @Nullable Duration leaseTime;

	private Duration holdAtLeast = Duration.ZERO;

	private @Nullable Duration retainTime;

	private boolean releaseImmediately;

	private @Nullable LockContext context;

	private LockMode mode = LockMode.EXCLUSIVE;

	private int permits;

	private boolean fair;

	private boolean reentrant = true;

	private boolean interruptible = true;

	private LockRequest(String baseName, List<String> names) {
		this.baseName = baseName;
		this.names = names;
	}

	private LockRequest with(Consumer<LockRequest> change) {
		LockRequest changed = new LockRequest(this.baseName, this.names);
		changed.waitTime = this.waitTime;
		changed.leaseTime = this.leaseTime;
		changed.holdAtLeast = this.holdAtLeast;
		changed.retainTime = this.retainTime;
		changed.releaseImmediately = this.releaseImmediately;
		changed.context = this.context;
		changed.mode = this.mode;
		changed.permits = this.permits;
		changed.fair = this.fair;
		changed.reentrant = this.reentrant;
		changed.interruptible = this.interruptible;
		change.accept(changed);
		changed.checkKind();
		VarHandle.storeStoreFence(); // as behind a constructor that sets final fields
		return changed;
	}

	private void checkKind() {
		boolean shared = this.mode == LockMode.SHARED;
		boolean several = this.names.size() > 1;
		refuse(this.permits > 0 && shared, "cannot be shared and have permits");
		refuse(this.permits > 0 && several, "has permits, and so cannot be locked together with others");
		refuse(this.fair && several, "is fair, and so cannot be locked together with others");
		refuse(shared && !this.holdAtLeast.isZero(),
				"is shared, and so cannot be held at least for some time: others share it all the same");
		refuse(this.retainTime != null && !this.retainTime.isZero() && !isRetainable(),
				"cannot be retained: this needs one exclusive lock that is renewed, neither fair nor with "
						+ "permits or a cool-down");
	}

	private void refuse(boolean unfit, String why) {
		if (unfit) {
			throw new IllegalArgumentException("Lock '" + LogText.join(this.names) + "' " + why);
		}
	}

	private void refuse(boolean unfit, String setting, Duration time, String why) {
		if (unfit) {
			throw new IllegalArgumentException(
					"%s of lock '%s' is %s: %s".formatted(setting, this.baseName, why, time));
		}
	}

	/**
	 * Return whether the lease may be kept after the release of such a lock.
	 * @return whether it is one exclusive lock that is renewed, neither fair nor with
	 * permits or a cool-down
	 */
	@Api(Api.Status.EXTENSION)
	public boolean isRetainable() {
		return this.names.size() == 1 && this.mode == LockMode.EXCLUSIVE && this.permits == 0 && !this.fair
				&& this.leaseTime == null && this.holdAtLeast.isZero();
	}

	/**
	 * Create a request for one lock.
	 * @param name its name, 1 to 1,024 characters
	 * @return the request
	 * @throws LockKeyException if the name cannot be locked
	 */
	public static LockRequest of(String name) {
		String checked = LockNames.check(name);
		return new LockRequest(checked, List.of(checked));
	}

	/**
	 * Create a request for several locks, of which all or none are acquired. The names
	 * are sorted.
	 * @param names their names, at most {@link #MAX_NAMES}
	 * @return the request
	 * @throws LockKeyException if there are none or too many, or one cannot be locked
	 */
	public static LockRequest ofAll(String... names) {
		return ofAll(Arrays.asList(names));
	}

	/**
	 * Create a request for several locks, of which all or none are acquired. The names
	 * are sorted.
	 * @param names their names, at most {@link #MAX_NAMES}
	 * @return the request
	 * @throws LockKeyException if there are none or too many, or one cannot be locked
	 */
	public static LockRequest ofAll(Collection<String> names) {
		List<String> sorted = LockNames.sorted(names);
		return new LockRequest(LogText.join(sorted), sorted);
	}

	/**
	 * Add a key to the name: {@code order} with the key {@code 42} is the lock
	 * {@code order:42}. Its meters have the tag {@code order}, so that they do not grow
	 * with the number of keys. A key may come from a user: a {@code :} in it is written
	 * {@code %3A}, and {@code %} is written {@code %25}, so that no key reaches the lock
	 * of another name. To join several values to one key, put a character between them
	 * that none of them contains.
	 * @param key the key; a collection or an array stands for several, see {@link #keys}
	 * @return the changed request
	 * @throws LockKeyException if the key is null or empty, or too long, or stands for
	 * too many, or is a {@code byte[]} or a {@code char[]}
	 */
	public LockRequest key(@Nullable Object key) {
		return key(key, "key");
	}

	/**
	 * Add a key to the name.
	 * @param key the key
	 * @param path how messages name it, such as {@code #order.id}
	 * @return the changed request
	 */
	@Api(Api.Status.INTERNAL)
	public LockRequest key(@Nullable Object key, String path) {
		return with((changed) -> changed.names = LockNames.withKey(this.baseName, key, path));
	}

	/**
	 * Add several keys to the name, of which all or none are locked.
	 * @param keys the keys, at most {@link #MAX_NAMES}
	 * @return the changed request
	 * @throws LockKeyException if there are none or too many, or one is null, empty or
	 * too long
	 */
	public LockRequest keys(Collection<?> keys) {
		return key(keys);
	}

	/**
	 * Set the longest time to wait for the lock. With zero, a lock that another owner
	 * holds is not waited for.
	 * @param waitTime the time, not negative
	 * @return the changed request
	 */
	public LockRequest waitTime(Duration waitTime) {
		refuse(waitTime.isNegative(), "Wait time", waitTime, "negative");
		return with((changed) -> changed.waitTime = waitTime);
	}

	/**
	 * Set a fixed lease, which is not renewed. By default, the lock is renewed until it
	 * is released.
	 * @param leaseTime the time, positive, at most
	 * {@code distributed-lock.max-lease-time}. A quorum of nodes needs it to be longer
	 * than the margin for clock drift, 3 ms by default: a request for a shorter one fails
	 * @return the changed request
	 * @throws IllegalArgumentException if it is zero or negative
	 */
	public LockRequest leaseTime(Duration leaseTime) {
		refuse(leaseTime.isNegative() || leaseTime.isZero(), "Lease time", leaseTime, "not positive");
		return with((changed) -> changed.leaseTime = leaseTime);
	}

	/**
	 * Set the time, from the grant on, during which others do not get the lock even if it
	 * is released earlier. This is a cool-down and does not guarantee exclusion.
	 * @param holdAtLeast the time, not negative, at most ten years; may exceed the lease
	 * @return the changed request
	 * @throws IllegalArgumentException if it is negative, or longer than ten years
	 */
	public LockRequest holdAtLeast(Duration holdAtLeast) {
		refuse(holdAtLeast.isNegative(), "Hold-at-least time", holdAtLeast, "negative");
		if (holdAtLeast.compareTo(MAX_HOLD) > 0) {
			throw new IllegalArgumentException("Hold-at-least time %s of lock '%s' is longer than ten years (%s)"
				.formatted(holdAtLeast, this.baseName, MAX_HOLD));
		}
		return with((changed) -> changed.holdAtLeast = holdAtLeast);
	}

	/**
	 * Keep the lease for some time after the release, in case this instance wants the
	 * lock again: the next request takes it without asking the nodes, with a fencing
	 * token of its own. An instance that is refused meanwhile gets it after one message.
	 * @param retainTime the time, not negative; zero releases at once
	 * @return the changed request
	 * @throws IllegalArgumentException if the time is negative, or if the request is for
	 * anything but one exclusive lock that is renewed, neither fair nor with a cool-down
	 */
	public LockRequest retainTime(Duration retainTime) {
		refuse(retainTime.isNegative(), "Retain time", retainTime, "negative");
		return with((changed) -> changed.retainTime = retainTime);
	}

	/**
	 * Share the lock with other readers: any number of them hold it at the same time, and
	 * none exclusively.
	 * @return the changed request
	 * @throws IllegalArgumentException if the request has permits or a cool-down
	 */
	public LockRequest shared() {
		return mode(LockMode.SHARED);
	}

	/**
	 * Set how the lock excludes others.
	 * @param mode the mode; {@link LockMode#EXCLUSIVE} by default
	 * @return the changed request
	 * @throws IllegalArgumentException if it does not go with what was set before
	 */
	public LockRequest mode(LockMode mode) {
		return with((changed) -> changed.mode = mode);
	}

	/**
	 * Take one of several permits: at most this many hold the lock at the same time. All
	 * users of the name have to agree on the number.
	 * @param permits how many there are, 1 to 1,000
	 * @return the changed request
	 * @throws IllegalArgumentException if there are more or fewer, or if the request is
	 * shared or for several names
	 */
	public LockRequest permits(int permits) {
		refuse(permits < 1 || permits > MAX_PERMITS, "has 1 to " + MAX_PERMITS + " permits, not " + permits);
		return with((changed) -> changed.permits = permits);
	}

	/**
	 * Keep to the order of asking, in which requests that wait are served in any case,
	 * inside an instance as well: the lock is not handed over in front of older requests
	 * of other instances.
	 * @return the changed request
	 * @throws IllegalArgumentException if the request is for several names
	 */
	public LockRequest fair() {
		return with((changed) -> changed.fair = true);
	}

	/**
	 * Refuse to re-enter what the call holds already.
	 * @return the changed request
	 * @see LockReentryException
	 */
	public LockRequest notReentrant() {
		return with((changed) -> changed.reentrant = false);
	}

	/**
	 * Release the lock when its handle is closed, even inside a transaction, instead of
	 * after the transaction's completion.
	 * @return the changed request
	 */
	public LockRequest releaseImmediately() {
		return with((changed) -> changed.releaseImmediately = true);
	}

	/**
	 * Re-enter the locks that a call holds already: their names are not requested again,
	 * and the handle shares their lease and fencing token.
	 * @param context the locks of the call, {@code null} for none
	 * @return the changed request
	 * @see LockContext#capture()
	 */
	@Api(Api.Status.EXTENSION)
	public LockRequest within(@Nullable LockContext context) {
		return with((changed) -> changed.context = context);
	}

	/**
	 * Go on waiting if the thread is interrupted, which stays interrupted then.
	 * @return the changed request
	 */
	@Api(Api.Status.INTERNAL)
	public LockRequest uninterruptible() {
		return with((changed) -> changed.interruptible = false);
	}

	/** Re-enter what the calling thread holds, unless another context was given. */
	LockRequest withinThisCall() {
		return (this.context != null) ? this : within(LockContext.ofThread());
	}

	/**
	 * Keep some of the names.
	 * @param names the names, of {@link #names()}
	 * @return the changed request
	 */
	@Api(Api.Status.EXTENSION)
	public LockRequest only(Collection<String> names) {
		return with((changed) -> changed.names = LockNames.sorted(names));
	}

	/**
	 * Return the name without the key, which is the tag {@code lock} of the meters.
	 * @return the base name
	 */
	public String baseName() {
		return this.baseName;
	}

	/**
	 * Return the names to lock.
	 * @return the names, sorted, without duplicates
	 */
	public List<String> names() {
		return this.names;
	}

	/**
	 * Return how long to wait.
	 * @return the time, or {@code null} for the default of the method that is called
	 */
	public @Nullable Duration waitTime() {
		return this.waitTime;
	}

	/**
	 * Return the fixed lease.
	 * @return the time, or {@code null} if the lock is renewed until it is released
	 */
	public @Nullable Duration leaseTime() {
		return this.leaseTime;
	}

	/**
	 * Return the cool-down.
	 * @return the time, zero for none
	 */
	public Duration holdAtLeast() {
		return this.holdAtLeast;
	}

	/**
	 * Return how long the lease is kept after the release.
	 * @return the time, or {@code null} for {@code distributed-lock.retain-time}
	 */
	public @Nullable Duration retainTime() {
		return this.retainTime;
	}

	/**
	 * Return whether the lock is released when its handle is closed, even inside a
	 * transaction.
	 * @return whether the release is immediate
	 */
	public boolean isReleasedImmediately() {
		return this.releaseImmediately;
	}

	/**
	 * Return the locks that the request may re-enter.
	 * @return the context, or {@code null} to re-enter none
	 */
	@Api(Api.Status.EXTENSION)
	public @Nullable LockContext context() {
		return this.context;
	}

	/**
	 * Return how the lock excludes others.
	 * @return the mode
	 */
	public LockMode mode() {
		return this.mode;
	}

	/**
	 * Return how many may hold the lock at the same time.
	 * @return the number of permits, 0 for a lock without permits
	 */
	public int permits() {
		return this.permits;
	}

	/**
	 * Return whether the lock is never handed over in front of older requests.
	 * @return whether it is fair
	 */
	public boolean isFair() {
		return this.fair;
	}

	/**
	 * Return whether the lock may be re-entered.
	 * @return whether it is re-entrant
	 */
	public boolean isReentrant() {
		return this.reentrant;
	}

	/**
	 * Return whether an interrupt of the thread ends the wait.
	 * @return {@code false} if it is kept for after the wait
	 */
	@Api(Api.Status.EXTENSION)
	public boolean isInterruptible() {
		return this.interruptible;
	}

	@Override
	public String toString() {
		return "LockRequest[names=" + this.names + ", waitTime=" + this.waitTime + ", leaseTime=" + this.leaseTime
				+ ", holdAtLeast=" + this.holdAtLeast + ", retainTime=" + this.retainTime + ", releaseImmediately="
				+ this.releaseImmediately + ", mode=" + this.mode + ", permits=" + this.permits + ", fair=" + this.fair
				+ ", reentrant=" + this.reentrant + "]";
	}

}
