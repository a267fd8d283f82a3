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

package io.quorlock.sample.watch;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;

import io.quorlock.store.StoreObserver;

/**
 * Records the visits of one instance.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class WatchConfiguration {

	/** The locks' advisor has LOWEST_PRECEDENCE - 100, transactions have the lowest. */
	private static final int INSIDE_THE_LOCK = Ordered.LOWEST_PRECEDENCE - 50;

	private static final int OUTSIDE_THE_LOCK = 0;

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean
	static VisitLog visitLog() {
		return new VisitLog();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static VisitRecorder visitRecorder(VisitLog log, @Value("${distributed-lock.instance-id}") String instance) {
		return new VisitRecorder(log, instance);
	}

	@Bean
	@ConditionalOnMissingBean
	NodeLatencies nodeLatencies() {
		return new NodeLatencies();
	}

	@Bean
	StoreObserver nodeLatencyObserver(NodeLatencies latencies) {
		return (node, operation, outcome, error, nanos) -> latencies.add(node, nanos);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static VisitAdvisor outerVisitAdvisor(VisitRecorder recorder) {
		return new VisitAdvisor(OUTSIDE_THE_LOCK, recorder::outside);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static VisitAdvisor innerVisitAdvisor(VisitRecorder recorder) {
		return new VisitAdvisor(INSIDE_THE_LOCK, recorder::inside);
	}

}
