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

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

import io.quorlock.LockTemplate;
import io.quorlock.aop.DistributedLockAdvisor;
import io.quorlock.aop.GuardedBeanPostProcessor;
import io.quorlock.aop.LockDeclarationValidator;
import io.quorlock.aop.LockProxyRegistrar;
import io.quorlock.aop.declaration.LeaseBounds;
import io.quorlock.aop.declaration.SchedulerClocks;

/**
 * Configuration of the advisor. Its beans have the infrastructure role, since an
 * application without AspectJ considers no other advisors.
 */
@Configuration(proxyBeanMethods = false)
@Import(LockProxyRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class LockAdvisorConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static SchedulerClocks distributedLockSchedulerClocks() {
		return new SchedulerClocks();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static DistributedLockAdvisor distributedLockAdvisor(ConfigurableListableBeanFactory beanFactory,
			Environment environment, ObjectProvider<LockTemplate> template) {
		LockProperties properties = properties(environment);
		return new DistributedLockAdvisor(beanFactory,
				new LeaseBounds(properties.operationTimeout(), properties.maxLeaseTime()), template::getObject,
				properties.order());
	}

	/**
	 * Advisors are made before the post-processors that make the properties bean
	 * complete: it would be created too early, and Spring would log a warning at every
	 * start.
	 */
	private static LockProperties properties(Environment environment) {
		return Binder.get(environment).bindOrCreate("distributed-lock", LockProperties.class);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static GuardedBeanPostProcessor distributedLockGuardedBeanPostProcessor(DefaultListableBeanFactory beanFactory) {
		return new GuardedBeanPostProcessor(beanFactory);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockDeclarationValidator distributedLockDeclarationValidator(ConfigurableListableBeanFactory beanFactory) {
		return new LockDeclarationValidator(beanFactory);
	}

}
