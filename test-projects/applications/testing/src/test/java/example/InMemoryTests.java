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

package example;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockTemplate;
import io.quorlock.test.AutoConfigureTestLocks;
import io.quorlock.test.LockSimulator;

import static io.quorlock.test.LockAssertions.assertThatLocks;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(properties = { "distributed-lock.wait-time=500ms", "distributed-lock.connection.operation-timeout=2s" })
@AutoConfigureTestLocks
class InMemoryTests {

	@Autowired
	Orders orders;

	@Autowired
	LockSimulator locks;

	@Autowired
	LockTemplate lockTemplate;

	@Test
	void orderThatIsBeingShippedElsewhereIsRefused() {
		this.locks.heldElsewhere("order:42");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.ship(42));
	}

	@Test
	void shippingReleasesTheLock() {
		this.orders.ship(42);
		assertThatLocks(this.lockTemplate).areAllReleased();
	}

}
