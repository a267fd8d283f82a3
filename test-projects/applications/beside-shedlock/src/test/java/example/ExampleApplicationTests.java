package example;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
class ExampleApplicationTests {

	private static final EmbeddedRedis REDIS = EmbeddedRedis.start(1);

	@AfterAll
	static void stopRedis() {
		REDIS.close();
	}

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.url", () -> REDIS.uris().get(0));
	}

	@Test
	void applicationStartsAndLocks(@Autowired Orders orders) {
		long first = orders.ship(42);
		assertThat(orders.ship(42)).isGreaterThan(first);
	}

}
