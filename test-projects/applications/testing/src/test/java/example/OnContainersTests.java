package example;

import com.redis.testcontainers.RedisContainer;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@Testcontainers(disabledWithoutDocker = true)
class OnContainersTests {

	@Container
	@ServiceConnection
	static RedisContainer first = new RedisContainer("redis:7");

	@Container
	@ServiceConnection
	static RedisContainer second = new RedisContainer("redis:7");

	@Container
	@ServiceConnection
	static RedisContainer third = new RedisContainer("redis:7");

	@Test
	void tokensIncrease(@Autowired Orders orders) {
		assertThat(orders.ship(42)).isLessThan(orders.ship(42));
	}

}
