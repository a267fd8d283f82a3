package io.quorlock;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What to lock, and how. Immutable: each method answers a changed copy.
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
	 * A wait time that never ends. The wait still ends with an interrupt, with a
	 * cancelled future, and with {@code distributed-lock.retry.max-attempts} where that
	 * is set.
	 */
	public static final Duration UNLIMITED_WAIT = Duration.ofDays(36_500);

	private final String baseName;

	private final List<String> names;

	private final @Nullable Duration waitTime;

	private final @Nullable Duration leaseTime;

	private final Duration holdAtLeast;

	private final boolean releaseImmediately;

	private final @Nullable LockContext context;

	private LockRequest(String baseName, List<String> names, @Nullable Duration waitTime, @Nullable Duration leaseTime,
			Duration holdAtLeast, boolean releaseImmediately, @Nullable LockContext context) {
		this.baseName = baseName;
		this.names = names;
		this.waitTime = waitTime;
		this.leaseTime = leaseTime;
		this.holdAtLeast = holdAtLeast;
		this.releaseImmediately = releaseImmediately;
		this.context = context;
	}

	/**
	 * Asks for one lock.
	 * @param name its name, 1 to 1,024 characters
	 * @return the request
	 * @throws LockKeyException if the name cannot be locked
	 */
	public static LockRequest of(String name) {
		String checked = LockNames.check(name);
		return new LockRequest(checked, List.of(checked), null, null, Duration.ZERO, false, null);
	}

	/**
	 * Asks for several locks: all of them or none, in sorted order.
	 * @param names their names
	 * @return the request
	 * @throws LockKeyException if there is none, or one cannot be locked
	 */
	public static LockRequest ofAll(String... names) {
		return ofAll(Arrays.asList(names));
	}

	/**
	 * Asks for several locks: all of them or none, in sorted order.
	 * @param names their names
	 * @return the request
	 * @throws LockKeyException if there is none, or one cannot be locked
	 */
	public static LockRequest ofAll(Collection<String> names) {
		List<String> sorted = LockNames.sorted(names);
		return new LockRequest(String.join(",", sorted), sorted, null, null, Duration.ZERO, false, null);
	}

	/**
	 * Locks one thing of the kind that the name stands for: {@code order} with key
	 * {@code 42} is the lock {@code order:42}, while metrics go by {@code order}.
	 * @param key the key; a collection or an array stands for several, see {@link #keys}
	 * @return the changed request
	 * @throws LockKeyException if the key is null or empty, or too long
	 */
	public LockRequest key(@Nullable Object key) {
		return new LockRequest(this.baseName, LockNames.withKey(this.baseName, key), this.waitTime, this.leaseTime,
				this.holdAtLeast, this.releaseImmediately, this.context);
	}

	/**
	 * Locks several things of the kind that the name stands for: all of them or none.
	 * @param keys the keys
	 * @return the changed request
	 * @throws LockKeyException if there is none, or one is null, empty or too long
	 */
	public LockRequest keys(Collection<?> keys) {
		return key(keys);
	}

	/**
	 * How long to wait for the lock at most. Zero asks the nodes exactly once.
	 * @param waitTime the time, not negative
	 * @return the changed request
	 */
	public LockRequest waitTime(Duration waitTime) {
		if (waitTime.isNegative()) {
			throw new IllegalArgumentException("Wait time of lock '" + this.baseName + "' is negative: " + waitTime);
		}
		return new LockRequest(this.baseName, this.names, waitTime, this.leaseTime, this.holdAtLeast,
				this.releaseImmediately, this.context);
	}

	/**
	 * Holds the lock for this long and not longer: nothing renews it. Without it, the
	 * watchdog renews the lock until it is released.
	 * @param leaseTime the time, positive, at most
	 * {@code distributed-lock.max-lease-time}
	 * @return the changed request
	 */
	public LockRequest leaseTime(Duration leaseTime) {
		if (leaseTime.isNegative() || leaseTime.isZero()) {
			throw new IllegalArgumentException(
					"Lease time of lock '" + this.baseName + "' is not positive: " + leaseTime);
		}
		return new LockRequest(this.baseName, this.names, this.waitTime, leaseTime, this.holdAtLeast,
				this.releaseImmediately, this.context);
	}

	/**
	 * Keeps others out for this long from the grant on, also when the lock is released
	 * earlier. A cool-down, not a promise of exclusion.
	 * @param holdAtLeast the time, not negative; may exceed the lease
	 * @return the changed request
	 */
	public LockRequest holdAtLeast(Duration holdAtLeast) {
		if (holdAtLeast.isNegative()) {
			throw new IllegalArgumentException(
					"Hold-at-least time of lock '" + this.baseName + "' is negative: " + holdAtLeast);
		}
		return new LockRequest(this.baseName, this.names, this.waitTime, this.leaseTime, holdAtLeast,
				this.releaseImmediately, this.context);
	}

	/**
	 * Releases when closed, also inside a running transaction, instead of after its
	 * completion.
	 * @return the changed request
	 */
	public LockRequest releaseImmediately() {
		return new LockRequest(this.baseName, this.names, this.waitTime, this.leaseTime, this.holdAtLeast, true,
				this.context);
	}

	/**
	 * Re-enters what a call already holds: names that the context holds are not asked for
	 * again. The handle shares their lease and fencing token.
	 * @param context the locks of the call, {@code null} for none
	 * @return the changed request
	 * @see LockContext#capture()
	 */
	public LockRequest within(@Nullable LockContext context) {
		return new LockRequest(this.baseName, this.names, this.waitTime, this.leaseTime, this.holdAtLeast,
				this.releaseImmediately, context);
	}

	/** Re-enter what the calling thread holds, unless another context was given. */
	LockRequest withinThisCall() {
		return (this.context != null) ? this : within(LockContext.capture());
	}

	/**
	 * The same request for some of its names.
	 * @param names the names, of {@link #names()}
	 * @return the changed request
	 */
	public LockRequest only(Collection<String> names) {
		return new LockRequest(this.baseName, LockNames.sorted(names), this.waitTime, this.leaseTime, this.holdAtLeast,
				this.releaseImmediately, this.context);
	}

	/**
	 * Return the name without the key, which is the tag {@code lock} of the meters.
	 * @return the base name
	 */
	public String baseName() {
		return this.baseName;
	}

	/**
	 * The names to lock.
	 * @return the names, sorted, without duplicates
	 */
	public List<String> names() {
		return this.names;
	}

	/**
	 * How long to wait.
	 * @return the time, or {@code null} for the default of the method called
	 */
	public @Nullable Duration waitTime() {
		return this.waitTime;
	}

	/**
	 * The fixed lease.
	 * @return the time, or {@code null} if the watchdog renews
	 */
	public @Nullable Duration leaseTime() {
		return this.leaseTime;
	}

	/**
	 * The cool-down.
	 * @return the time, zero for none
	 */
	public Duration holdAtLeast() {
		return this.holdAtLeast;
	}

	/**
	 * Whether closing releases also inside a running transaction.
	 * @return whether the release is immediate
	 */
	public boolean isReleaseImmediately() {
		return this.releaseImmediately;
	}

	/**
	 * The locks that may be re-entered.
	 * @return the context, or {@code null} to be an owner of its own
	 */
	public @Nullable LockContext context() {
		return this.context;
	}

	@Override
	public String toString() {
		return "LockRequest[names=" + this.names + ", waitTime=" + this.waitTime + ", leaseTime=" + this.leaseTime
				+ ", holdAtLeast=" + this.holdAtLeast + ", releaseImmediately=" + this.releaseImmediately + "]";
	}

}
