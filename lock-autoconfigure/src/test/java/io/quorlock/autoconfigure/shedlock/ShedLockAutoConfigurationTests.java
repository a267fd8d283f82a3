package io.quorlock.autoconfigure.shedlock;

import java.util.Optional;

import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.shedlock.QuorlockLockProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShedLockAutoConfiguration}.
 */
class ShedLockAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, ShedLockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory");

	@Test
	void bringsALockProvider() {
		this.contextRunner
			.run((context) -> assertThat(context).getBean(LockProvider.class).isInstanceOf(QuorlockLockProvider.class));
	}

	@Test
	void backsOffWhenThereIsALockProvider() {
		LockProvider own = (configuration) -> Optional.empty();
		this.contextRunner.withBean(LockProvider.class, () -> own)
			.run((context) -> assertThat(context).getBean(LockProvider.class).isSameAs(own));
	}

	@Test
	void backsOffWithoutShedLock() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("net.javacrumbs.shedlock"))
			.run((context) -> assertThat(context).hasSingleBean(LockTemplate.class)
				.doesNotHaveBean("distributedLockShedLockProvider"));
	}

}
