package example;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
class ExampleApplicationTests {

	@Test
	void locksWithoutAnyConfiguration(@Autowired Orders orders) {
		long first = orders.ship(42);
		assertThat(orders.ship(42)).isGreaterThan(first);
	}

}
