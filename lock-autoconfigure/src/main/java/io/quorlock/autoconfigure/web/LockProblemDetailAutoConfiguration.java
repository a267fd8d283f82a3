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
@ConditionalOnBooleanProperty(name = "distributed-lock.web.problem-details", matchIfMissing = true)
public final class LockProblemDetailAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockProblemDetailAdvice distributedLockProblemDetailAdvice() {
		return new LockProblemDetailAdvice(Duration.ofSeconds(1));
	}

}
