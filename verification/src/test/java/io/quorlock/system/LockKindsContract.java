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

package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockReentryException;
import io.quorlock.LockRequest;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockInspector;
import io.quorlock.engine.inspect.LockHold;
import io.quorlock.store.NodeReport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Shared locks, permits and fair locks of two instances (R19, R20, R21).
 */
@Timeout(120)
abstract class LockKindsContract {

	private static final AtomicInteger counter = new AtomicInteger();

	private final String name = "kind" + counter.incrementAndGet();

	DefaultLockTemplate one;

	DefaultLockTemplate two;

	/** Return the template of an instance, 0 or 1; perhaps the same for both. */
	abstract DefaultLockTemplate instance(int number);

	@BeforeEach
	void takeTwoInstances() {
		this.one = instance(0);
		this.two = instance(1);
	}

	private LockInspector inspector() {
		return new LockInspector(this.one.engine());
	}

	private LockRequest request() {
		return LockRequest.of(this.name).waitTime(Duration.ZERO);
	}

	private LockRequest patient() {
		return LockRequest.of(this.name).waitTime(Duration.ofSeconds(20));
	}

	private LockHandle acquire(DefaultLockTemplate instance, LockRequest request) {
		return instance.acquire(request);
	}

	private void assertRefused(DefaultLockTemplate instance, LockRequest request) {
		assertThat(instance.tryAcquire(request)).isEmpty();
	}

	@Test
	void readersOfAllInstancesShareAndExcludeWriters() {
		LockHandle first = acquire(this.one, request().shared());
		LockHandle second = acquire(this.two, request().shared());
		LockHandle third = acquire(this.two, request().shared());
		assertThat(List.of(first, second, third)).allSatisfy((reader) -> {
			assertThat(reader.mode()).isEqualTo(LockMode.SHARED);
			assertThat(reader.isHeld()).isTrue();
		});
		assertRefused(this.one, request());
		assertRefused(this.two, request());
		first.close();
		assertRefused(this.one, request());
		second.close();
		third.close();
		LockHandle writer = acquire(this.one, patient());
		assertRefused(this.two, request().shared());
		assertRefused(this.one, request().shared());
		writer.close();
		acquire(this.two, request().shared()).close();
	}

	@Test
	void refusalByReadersNamesOne() {
		LockHandle reader = acquire(this.one, request().shared());
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> acquire(this.two, request()))
			.satisfies((ex) -> assertThat(ex.getMessage()).containsAnyOf("shares it", "of this instance has held",
					"is first in the queue"));
		reader.close();
	}

	@Test
	void readersTokenIsNotLessThanThatOfTheWriterBeforeAndLessThanThatOfTheNext() {
		LockHandle writer = acquire(this.one, request());
		long written = writer.fencingToken();
		writer.close();
		LockHandle reader = acquire(this.two, request().shared());
		LockHandle other = acquire(this.one, request().shared());
		assertThat(reader.fencingToken()).isGreaterThanOrEqualTo(written);
		assertThat(other.fencingToken()).isGreaterThanOrEqualTo(written);
		reader.close();
		other.close();
		LockHandle next = acquire(this.two, patient());
		assertThat(next.fencingToken()).isGreaterThan(reader.fencingToken()).isGreaterThan(other.fencingToken());
		next.close();
	}

	@Test
	void writerIsNotStarvedByReadersThatComeAndGo() throws Exception {
		AtomicInteger reads = new AtomicInteger();
		CountDownLatch written = new CountDownLatch(1);
		List<CompletableFuture<Void>> readers = new ArrayList<>();
		for (DefaultLockTemplate instance : List.of(this.one, this.two)) {
			for (int i = 0; i < 3; i++) {
				readers.add(CompletableFuture.runAsync(() -> {
					while (written.getCount() > 0) {
						try (LockHandle reader = acquire(instance, patient().shared())) {
							reads.incrementAndGet();
							Thread.sleep(2);
						}
						catch (InterruptedException ex) {
							throw new IllegalStateException(ex);
						}
					}
				}));
			}
		}
		Awaitility.await().until(() -> reads.get() > 20);
		acquire(this.two, patient()).close();
		acquire(this.one, patient()).close();
		written.countDown();
		CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
	}

	@Test
	void readersWithoutAWaitDoNotPassAWriterThatWaits() {
		LockHandle reader = acquire(this.one, request().shared());
		CompletableFuture<LockHandle> writer = this.one.acquireAsync(patient()).toCompletableFuture();
		Awaitility.await().untilAsserted(() -> assertThat(inspector().waiting()).isNotEmpty());
		assertRefused(this.one, request().shared());
		reader.close();
		writer.join().close();
	}

	@Test
	void noWriterBesideReaders() throws Exception {
		AtomicInteger readers = new AtomicInteger();
		AtomicInteger writers = new AtomicInteger();
		ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
		List<CompletableFuture<Void>> users = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			DefaultLockTemplate instance = (i % 2 == 0) ? this.one : this.two;
			boolean writes = i >= 6;
			users.add(CompletableFuture.runAsync(() -> {
				for (int round = 0; round < 25; round++) {
					try (LockHandle handle = acquire(instance, writes ? patient() : patient().shared())) {
						AtomicInteger mine = writes ? writers : readers;
						mine.incrementAndGet();
						if (handle.isHeld() && (writers.get() > 1 || (writers.get() > 0 && readers.get() > 0))) {
							violations.add(writers + " writers beside " + readers + " readers");
						}
						Thread.onSpinWait();
						mine.decrementAndGet();
					}
				}
			}));
		}
		CompletableFuture.allOf(users.toArray(CompletableFuture[]::new)).get(90, TimeUnit.SECONDS);
		assertThat(violations).isEmpty();
	}

	@Test
	void readersAfterAWriterOfTheirInstanceLetOthersReadSoon() {
		LockHandle writer = acquire(this.one, request());
		List<CompletableFuture<LockHandle>> readers = List.of(
				this.one.acquireAsync(patient().shared()).toCompletableFuture(),
				this.one.acquireAsync(patient().shared()).toCompletableFuture());
		Awaitility.await().untilAsserted(() -> assertThat(inspector().waiting()).hasSize(2));
		long written = writer.fencingToken();
		writer.close();
		CompletableFuture<LockHandle> elsewhere = this.two.acquireAsync(patient().shared()).toCompletableFuture();
		for (CompletableFuture<LockHandle> reader : readers) {
			assertThat(reader.join().mode()).isEqualTo(LockMode.SHARED);
			assertThat(reader.join().fencingToken()).isGreaterThanOrEqualTo(written);
		}
		LockHandle other = elsewhere.join();
		assertThat(other.fencingToken()).isGreaterThanOrEqualTo(readers.get(0).join().fencingToken());
		assertThat(readers).allSatisfy((reader) -> assertThat(reader.join().isHeld()).isTrue());
		assertRefused(this.two, request());
		readers.forEach((reader) -> reader.join().close());
		assertRefused(this.one, request());
		other.close();
		LockHandle next = acquire(this.one, patient());
		assertThat(next.fencingToken()).isGreaterThan(other.fencingToken());
		next.close();
	}

	@Test
	void readersOfOneInstanceShareOneLease() {
		LockHandle first = acquire(this.one, request().shared());
		LockHandle second = acquire(this.one, request().shared());
		List<String> owners = inspector().held()
			.stream()
			.filter((hold) -> hold.names().contains(this.name))
			.map(LockHold::owner)
			.toList();
		assertThat(owners).hasSize(2).containsOnly(owners.get(0));
		first.close();
		assertThat(second.isHeld()).isTrue();
		assertRefused(this.two, request());
		second.close();
	}

	@Test
	void readersWithAFixedLeaseDoNotWaitForEachOther() {
		LockHandle first = acquire(this.one, request().shared().leaseTime(Duration.ofSeconds(10)));
		LockHandle second = acquire(this.one, request().shared().leaseTime(Duration.ofSeconds(10)));
		assertThat(first.isHeld() && second.isHeld()).isTrue();
		first.close();
		second.close();
	}

	@Test
	void writerBecomesAReaderWithoutAGap() {
		LockHandle writer = acquire(this.one, request());
		long token = writer.fencingToken();
		CompletableFuture<LockHandle> other = this.two.acquireAsync(patient().shared()).toCompletableFuture();
		writer.downgrade();
		assertThat(writer.mode()).isEqualTo(LockMode.SHARED);
		assertThat(writer.fencingToken()).isEqualTo(token);
		LockHandle reader = other.join();
		assertRefused(this.two, request());
		assertThatIllegalStateException().isThrownBy(writer::downgrade);
		writer.close();
		assertRefused(this.one, request());
		reader.close();
		acquire(this.one, patient()).close();
	}

	@Test
	void readersAndWritersThroughTheJavaUtilView() {
		ReadWriteLock lock = this.one.asReadWriteLock(this.name);
		lock.readLock().lock();
		assertThatExceptionOfType(LockReentryException.class).isThrownBy(lock.writeLock()::lock)
			.withMessageContaining("wait for itself");
		assertThat(elsewhere(() -> this.two.asReadWriteLock(this.name).writeLock().tryLock())).isFalse();
		lock.readLock().unlock();
		lock.writeLock().lock();
		lock.readLock().lock(); // a writer may read
		lock.readLock().unlock();
		assertThat(elsewhere(() -> this.two.asReadWriteLock(this.name).readLock().tryLock())).isFalse();
		lock.writeLock().unlock();
	}

	private static <T> T elsewhere(Supplier<T> code) {
		return CompletableFuture.supplyAsync(code).join();
	}

	@Test
	void downgradeDoesNotProlongAFixedLease() {
		LockHandle writer = acquire(this.one, request().leaseTime(Duration.ofSeconds(5)));
		Duration before = writer.remaining();
		writer.downgrade();
		assertThat(writer.remaining()).isPositive().isLessThanOrEqualTo(before);
		writer.close();
	}

	@Test
	void readerDoesNotShortenTheLeaseThatAnotherShares() {
		LockHandle first = acquire(this.one, request().shared());
		LockHandle second = acquire(this.one, request().shared());
		first.extend(Duration.ofSeconds(1));
		assertThat(second.remaining()).isGreaterThan(Duration.ofSeconds(20));
		first.close();
		second.close();
	}

	@Test
	void refusalNamesAReaderThatIsStillThere() {
		LockHandle first = elsewhere(() -> acquire(this.one, request().shared()));
		LockHandle second = acquire(this.one, request().shared());
		first.close();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> acquire(this.one, request()))
			.withMessageContaining("thread '" + Thread.currentThread().getName() + "' of this instance");
		second.close();
	}

	@Test
	void asManyAsThereArePermits() {
		List<LockHandle> permits = new ArrayList<>();
		permits.add(acquire(this.one, request().permits(3)));
		permits.add(acquire(this.two, request().permits(3)));
		permits.add(acquire(this.one, request().permits(3)));
		assertThat(permits).extracting(LockHandle::permit).containsExactlyInAnyOrder(1, 2, 3);
		assertRefused(this.one, request().permits(3));
		assertRefused(this.two, request().permits(3));
		permits.remove(1).close();
		LockHandle next = acquire(this.two, patient().permits(3));
		assertThat(permits).extracting(LockHandle::permit).doesNotContain(next.permit());
		next.close();
		permits.forEach(LockHandle::close);
	}

	@Test
	void eachPermitHasIncreasingTokens() {
		long last = 0;
		for (int i = 0; i < 5; i++) {
			LockHandle permit = acquire(((i % 2) == 0) ? this.one : this.two, patient().permits(1));
			assertThat(permit.permit()).isEqualTo(1);
			assertThat(permit.fencingToken()).isGreaterThan(last);
			last = permit.fencingToken();
			permit.close();
		}
	}

	@Test
	void neverMoreThanThePermits() throws Exception {
		AtomicInteger holders = new AtomicInteger();
		AtomicInteger max = new AtomicInteger();
		List<CompletableFuture<Void>> users = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			DefaultLockTemplate instance = (i % 2 == 0) ? this.one : this.two;
			users.add(CompletableFuture.runAsync(() -> {
				for (int round = 0; round < 20; round++) {
					try (LockHandle permit = acquire(instance, patient().permits(2))) {
						max.accumulateAndGet(holders.incrementAndGet(), Math::max);
						Thread.onSpinWait();
						holders.decrementAndGet();
					}
				}
			}));
		}
		CompletableFuture.allOf(users.toArray(CompletableFuture[]::new)).get(90, TimeUnit.SECONDS);
		assertThat(max.get()).isBetween(1, 2);
	}

	@Test
	void permitsAndNoPermitsDoNotMix() {
		LockHandle permit = acquire(this.one, request().permits(2));
		assertThatIllegalArgumentException().isThrownBy(() -> acquire(this.one, request()))
			.withMessageContaining("use two names");
		assertThat(waitsFor(inspector())).isZero();
		permit.close();
	}

	@Test
	void permitsBesideAWaiterWithoutThemAreRefused() throws Exception {
		String other = this.name + "b";
		LockHandle holder = acquire(this.one, LockRequest.of(other));
		CompletableFuture<LockHandle> both = this.one
			.acquireAsync(LockRequest.ofAll(this.name, other).waitTime(Duration.ofSeconds(20)))
			.toCompletableFuture();
		Awaitility.await().until(() -> waitsFor(inspector()) > 0);
		assertThatIllegalArgumentException().isThrownBy(() -> acquire(this.one, request().permits(2)))
			.withMessageContaining("use two names");
		holder.close();
		both.get(30, TimeUnit.SECONDS).close();
	}

	@Test
	void refusalOfAPermitSaysThatAllAreHeld() {
		LockHandle first = acquire(this.one, request().permits(2));
		LockHandle second = acquire(this.one, request().permits(2));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> acquire(this.two, request().permits(2)))
			.satisfies((ex) -> assertThat(ex.getMessage()).containsAnyOf("all 2 permits are held, one of them by app@",
					"of this instance has held"));
		first.close();
		second.close();
	}

	@Test
	void operatorFreesOnePermit() {
		LockHandle first = acquire(this.one, request().permits(2));
		LockHandle second = acquire(this.two, request().permits(2));
		inspector().forceRelease(this.name, first.permit()).join();
		assertThat(first.isHeld()).isFalse();
		assertThat(second.isHeld()).isTrue();
		LockHandle next = acquire(this.two, patient().permits(2));
		assertThat(next.permit()).isEqualTo(first.permit());
		next.close();
		second.close();
	}

	private long waitsFor(LockInspector inspector) {
		return inspector.waiting().stream().filter((wait) -> wait.names().contains(this.name)).count();
	}

	@Test
	void fairLockIsGivenInTheOrderOfAsking() throws Exception {
		LockHandle holder = acquire(this.one, request().fair());
		List<Integer> order = Collections.synchronizedList(new ArrayList<>());
		List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			DefaultLockTemplate instance = (i % 2 == 0) ? this.two : this.one;
			int number = i;
			CompletableFuture<LockHandle> waiter = instance.acquireAsync(patient().fair()).toCompletableFuture();
			waiters.add(waiter.thenApply((lock) -> {
				order.add(number);
				lock.close();
				return lock;
			}));
			LockInspector inspector = new LockInspector(instance.engine());
			Awaitility.await().until(() -> waitsFor(inspector), (count) -> count > number / 2);
			// Its ticket may still be on its way.
			Awaitility.await()
				.until(() -> inspector.inspect(this.name)
					.join()
					.stream()
					.filter(NodeReport::voting)
					.allMatch((report) -> !report.waiters().isEmpty()));
		}
		holder.close();
		CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
		// Of the threads of one instance only the first has a ticket (R21).
		assertThat(order.stream().filter((number) -> number % 2 == 0)).isSorted();
		assertThat(order.stream().filter((number) -> number % 2 == 1)).isSorted();
		assertThat(order.get(0)).isZero();
	}

	@Test
	void lockThatIsNotReentrantIsRefusedAtOnce() {
		this.one.executeWithoutResult(this.name, () -> assertThatExceptionOfType(LockReentryException.class)
			.isThrownBy(() -> this.one.executeWithoutResult(patient().notReentrant(), () -> {
			}))
			.withMessageContaining("not re-entrant"));
	}

	@Test
	void kindsThatDoNotGoTogetherAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> request().shared().permits(2));
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.ofAll("a", "b").permits(2));
		assertThatIllegalArgumentException().isThrownBy(() -> request().permits(2).keys(List.of(1, 2)));
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.ofAll("a", "b").fair());
		assertThatIllegalArgumentException().isThrownBy(() -> request().permits(0));
		assertThatIllegalArgumentException().isThrownBy(() -> request().permits(1_001));
		assertThatIllegalArgumentException().isThrownBy(() -> request().shared().holdAtLeast(Duration.ofSeconds(1)));
	}

	@Test
	void severalNamesAreShared() {
		LockRequest both = LockRequest.ofAll(this.name + "a", this.name + "b").waitTime(Duration.ZERO).shared();
		LockHandle first = acquire(this.one, both);
		LockHandle second = acquire(this.two, both);
		assertThat(this.two.tryAcquire(LockRequest.of(this.name + "b"))).isEmpty();
		first.close();
		second.close();
		acquire(this.two, LockRequest.of(this.name + "b").waitTime(Duration.ofSeconds(10))).close();
	}

}
