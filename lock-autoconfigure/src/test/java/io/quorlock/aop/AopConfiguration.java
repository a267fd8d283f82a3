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

package io.quorlock.aop;

import java.time.Duration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;

import io.quorlock.LockTemplate;
import io.quorlock.aop.declaration.LeaseBounds;

/**
 * The beans that the auto-configuration registers, around a {@link FakeLockTemplate}.
 */
@Configuration(proxyBeanMethods = false)
@Import(LockProxyRegistrar.class)
public class AopConfiguration {

	@Bean
	public FakeLockTemplate lockTemplate() {
		return new FakeLockTemplate();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static DistributedLockAdvisor distributedLockAdvisor(ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<LockTemplate> template) {
		return new DistributedLockAdvisor(beanFactory, new LeaseBounds(Duration.ofMillis(50), Duration.ofSeconds(60)),
				template::getObject, Ordered.LOWEST_PRECEDENCE - 100);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static GuardedBeanPostProcessor guardedBeanPostProcessor(DefaultListableBeanFactory beanFactory) {
		return new GuardedBeanPostProcessor(beanFactory);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockDeclarationValidator lockDeclarationValidator(ConfigurableListableBeanFactory beanFactory) {
		return new LockDeclarationValidator(beanFactory);
	}

}
