package io.quorlock.autoconfigure.web;

import java.time.Duration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.web.LockProblemDetailAdvice;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LockProblemDetailAdvice}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnClass(RestControllerAdvice.class)
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty("distributed-lock.web.problem-details")
public final class LockProblemDetailAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockProblemDetailAdvice distributedLockProblemDetailAdvice() {
		return new LockProblemDetailAdvice(Duration.ofSeconds(1));
	}

}
