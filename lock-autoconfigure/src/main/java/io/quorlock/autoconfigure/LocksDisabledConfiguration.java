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

package io.quorlock.autoconfigure;

import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.quorlock.LockTemplate;
import io.quorlock.aop.LockDeclarationValidator;
import io.quorlock.engine.LockOperations;

/**
 * Configuration for disabled locks: everything runs unlocked, which is logged once.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "distributed-lock.enabled", havingValue = false)
class LocksDisabledConfiguration {

	private static final Log logger = LogFactory.getLog(LocksDisabledConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	LockTemplate distributedLockTemplate() {
		return new UnlockedLockTemplate();
	}

	/** Beans that look at locks can be created, too. */
	@Bean
	@ConditionalOnMissingBean
	LockOperations distributedLockOperations() {
		return new UnlockedLockOperations();
	}

	@Bean
	static SmartInitializingSingleton distributedLockUnlockedMethodsReporter(
			ConfigurableListableBeanFactory beanFactory) {
		return () -> {
			List<String> methods = LockDeclarationValidator.findLockedMethods(beanFactory);
			logger.warn("Locks are disabled (distributed-lock.enabled=false). Annotated methods that run unlocked: "
					+ (methods.isEmpty() ? "none" : String.join(", ", methods)));
		};
	}

}
