package example;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(properties = { "distributed-lock.backend=embedded", "distributed-lock.nodes=" })
class RealServersTests {

	@Test
	void tokensIncrease(@Autowired Orders orders) {
		assertThat(orders.ship(42)).isLessThan(orders.ship(42));
	}

}
