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

package io.quorlock.reactive;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.fencing.FenceColumn;
import io.quorlock.fencing.StaleFencingTokenException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the example of a WebFlux application that fences what it writes.
 */
class WebFluxFencingTests {

	private final ReactiveWebApplicationContextRunner contextRunner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory")
		.withUserConfiguration(Shop.class);

	@Test
	void writesWithTheTokenOfThePipelinesLock() {
		this.contextRunner.run((context) -> {
			WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
			JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
			client.post().uri("/stock/shoe/sales").exchange().expectStatus().isOk();
			Long first = jdbc.queryForObject("select fence from stock", Long.class);
			client.post().uri("/stock/shoe/sales").exchange().expectStatus().isOk();
			assertThat(jdbc.queryForObject("select pieces from stock", Integer.class)).isEqualTo(8);
			assertThat(jdbc.queryForObject("select fence from stock", Long.class)).isGreaterThan(first);
		});
	}

	@Test
	void refusesAHolderThatALaterOneHasOvertaken() {
		this.contextRunner.run((context) -> {
			JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
			jdbc.update("update stock set fence = ?", Long.MAX_VALUE);
			WebTestClient.bindToApplicationContext(context)
				.build()
				.post()
				.uri("/stock/shoe/sales")
				.exchange()
				.expectStatus()
				.isEqualTo(HttpStatus.CONFLICT);
			assertThat(jdbc.queryForObject("select pieces from stock", Integer.class)).isEqualTo(10);
		});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFlux
	static class Shop {

		@Bean
		DataSource dataSource() {
			return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
		}

		@Bean
		JdbcTemplate jdbcTemplate(DataSource dataSource) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			jdbc.execute(
					"create table stock (sku varchar(20) primary key, pieces int, fence bigint default 0 not null)");
			jdbc.update("insert into stock (sku, pieces) values ('shoe', 10)");
			return jdbc;
		}

		@Bean
		Stock stock(JdbcTemplate jdbc) {
			return new Stock(new FenceColumn(jdbc, "stock", "sku", "fence"));
		}

		@Bean
		SalesController salesController(Stock stock) {
			return new SalesController(stock);
		}

	}

	@RestController
	static class SalesController {

		private final Stock stock;

		SalesController(Stock stock) {
			this.stock = stock;
		}

		@PostMapping("/stock/{sku}/sales")
		Mono<Void> sell(@PathVariable("sku") String sku) {
			return this.stock.sell(sku);
		}

		@ExceptionHandler
		@ResponseStatus(HttpStatus.CONFLICT)
		void onStaleToken(StaleFencingTokenException ex) {
		}

	}

	static class Stock {

		private final FenceColumn fence;

		Stock(FenceColumn fence) {
			this.fence = fence;
		}

		@DistributedLock(name = "stock", key = "#sku")
		public Mono<Void> sell(String sku) {
			return ReactiveLockContext.fencingToken()
				.publishOn(Schedulers.boundedElastic())
				.doOnNext((token) -> this.fence.update(sku, token, "pieces = pieces - 1"))
				.then();
		}

	}

}
