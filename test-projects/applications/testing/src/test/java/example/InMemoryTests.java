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
