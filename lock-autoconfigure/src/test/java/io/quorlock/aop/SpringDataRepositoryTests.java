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

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.keyvalue.repository.KeyValueRepository;
import org.springframework.data.map.repository.config.EnableMapRepositories;

import io.quorlock.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that repositories of Spring Data are locked: proxies of an interface that their
 * target does not implement.
 */
class SpringDataRepositoryTests {

	private AnnotationConfigApplicationContext context;

	private FakeLockTemplate locks;

	@BeforeEach
	void start() {
		this.context = new AnnotationConfigApplicationContext(AopConfiguration.class, Repositories.class);
		this.locks = this.context.getBean(FakeLockTemplate.class);
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void annotationOnTheInterfaceLocksEveryMethod() {
		Orders orders = this.context.getBean(Orders.class);
		orders.save(new Order(42, "shoe"));
		assertThat(orders.findBySku("shoe")).hasSize(1);
		assertThat(this.locks.events()).containsExactly("lock orders", "unlock orders", "lock orders", "unlock orders");
	}

	@Test
	void methodWithoutANameIsNamedAfterTheInterface() {
		String name = Articles.class.getName() + ".findBySku";
		this.context.getBean(Articles.class).findBySku("shoe");
		assertThat(this.locks.events()).containsExactly("lock " + name, "unlock " + name);
	}

	@Test
	void fallbackIsAMethodOfTheInterface() {
		this.locks.holdElsewhere("articles");
		assertThat(this.context.getBean(Articles.class).findBySkuOrNone("shoe")).isEmpty();
	}

	@DistributedLock("orders")
	interface Orders extends KeyValueRepository<Order, Long> {

		List<Order> findBySku(String sku);

	}

	interface Articles extends KeyValueRepository<Order, Long> {

		@DistributedLock
		List<Order> findBySku(String sku);

		@DistributedLock(name = "articles", waitTime = "0s", fallback = "none")
		default List<Order> findBySkuOrNone(String sku) {
			return findBySku(sku);
		}

		default List<Order> none(String sku) {
			return List.of();
		}

	}

	record Order(@Id long id, String sku) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMapRepositories(considerNestedRepositories = true)
	static class Repositories {

	}

}
