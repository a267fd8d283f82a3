package example;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import io.quorlock.LockMode;
import io.quorlock.autoconfigure.LockBackend;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
class ExampleApplicationTests {

	@Test
	void locksOnZooKeeper(@Autowired Orders orders, @Autowired LockBackend backend) {
		assertThat(backend.name()).isEqualTo("zookeeper");
		long first = orders.ship(42);
		assertThat(orders.ship(42)).isGreaterThan(first);
		assertThat(orders.search()).isEqualTo(LockMode.SHARED);
		assertThat(orders.export()).isBetween(1, 3);
	}

}
