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

package io.quorlock.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A contender and what became of it.
 */
public final class TestContender implements Contender.Listener {

	private final LeaseStore store;

	private final Contender contender;

	private final CompletableFuture<Object> end = new CompletableFuture<>();

	private final CompletableFuture<String> lost = new CompletableFuture<>();

	private final AtomicInteger waiting = new AtomicInteger();

	private final AtomicInteger ends = new AtomicInteger();

	private final List<Boolean> renewals = new CopyOnWriteArrayList<>();

	/** What the grant said of its risk each time it was notified. */
	private final List<Optional<Grant.Risk>> risks = new CopyOnWriteArrayList<>();

	private volatile long grantedAtMillis;

	private TestContender(LeaseStore store, Claim claim) {
		this.store = store;
		store.check(claim);
		this.contender = store.contend(claim, this);
	}

	/** A contender that has not asked yet. */
	public static TestContender of(LeaseStore store, TestClaim claim, long nowNanos) {
		return new TestContender(store, claim.at(nowNanos));
	}

	public TestContender start() {
		this.contender.start();
		return this;
	}

	public Contender contender() {
		return this.contender;
	}

	/** The lease, which is kept from now on. */
	public Grant granted() {
		Object outcome = outcome();
		assertThat(outcome).isInstanceOf(Grant.class);
		return (Grant) outcome;
	}

	/** Awaits the lease. */
	public TestContender holds() {
		granted();
		return this;
	}

	/** Awaits the report that it waits, which comes once. */
	public TestContender waits() {
		Awaitility.await()
			.atMost(60, TimeUnit.SECONDS)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> waitingReports() == 1);
		return this;
	}

	/** When it was granted, by the wall clock, which other processes have too. */
	public long grantedAtMillis() {
		granted();
		return this.grantedAtMillis;
	}

	public ClaimFailure failed() {
		Object outcome = outcome();
		assertThat(outcome).isInstanceOf(ClaimFailure.class);
		return (ClaimFailure) outcome;
	}

	public ClaimFailure.Held refused() {
		ClaimFailure failure = failed();
		assertThat(failure).isInstanceOf(ClaimFailure.Held.class);
		return (ClaimFailure.Held) failure;
	}

	public boolean isGranted() {
		return this.end.getNow(null) instanceof Grant;
	}

	public boolean hasEnded() {
		return this.end.isDone();
	}

	public int waitingReports() {
		return this.waiting.get();
	}

	public int ends() {
		return this.ends.get();
	}

	public List<Boolean> renewals() {
		return this.renewals;
	}

	/** Why the lease was lost, as soon as it is. */
	public CompletableFuture<String> lost() {
		return this.lost;
	}

	public ReleaseResult release() {
		return release(Duration.ZERO, null);
	}

	public ReleaseResult release(Duration cooldown, @Nullable TestContender next) {
		return await(
				this.store.release(granted(), cooldown, (next != null) ? next.contender : null).toCompletableFuture());
	}

	public Object outcome() {
		return await(this.end);
	}

	public static <T> T await(CompletableFuture<T> future) {
		try {
			return future.get(60, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			throw new AssertionError("Nothing came of it within 60 s");
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	@Override
	public void onWaiting() {
		this.waiting.incrementAndGet();
	}

	@Override
	public void onGranted(Grant grant) {
		this.grantedAtMillis = System.currentTimeMillis();
		this.ends.incrementAndGet();
		grant.keep(new Grant.Listener() {

			@Override
			public void onLost(String reason) {
				TestContender.this.lost.complete(reason);
			}

			@Override
			public void onRenewed(boolean confirmed) {
				TestContender.this.renewals.add(confirmed);
			}

			@Override
			public void onRisk() {
				TestContender.this.risks.add(Optional.ofNullable(grant.risk()));
			}

		});
		this.end.complete(grant);
	}

	@Override
	public void onFailed(ClaimFailure failure) {
		this.ends.incrementAndGet();
		this.end.complete(failure);
	}

	public List<Optional<Grant.Risk>> risks() {
		return this.risks;
	}

}
