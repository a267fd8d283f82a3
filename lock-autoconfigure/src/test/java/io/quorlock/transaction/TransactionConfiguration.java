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

package io.quorlock.transaction;

import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

import io.quorlock.LockTemplate;
import io.quorlock.aop.AopConfiguration;
import io.quorlock.aop.FakeLockTemplate;

/**
 * Transactions on H2 beside {@link AopConfiguration}; begin, commit and rollback are
 * recorded among the events of the {@link FakeLockTemplate}.
 */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement
public class TransactionConfiguration {

	@Bean
	@Primary
	LockTemplate transactionAwareLockTemplate(FakeLockTemplate locks) {
		return new TransactionAwareLockTemplate(locks, true);
	}

	@Bean
	DataSource dataSource() {
		return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
	}

	@Bean
	JdbcClient jdbcClient(DataSource dataSource) {
		JdbcClient client = JdbcClient.create(dataSource);
		client.sql("create table orders (id int)").update();
		return client;
	}

	@Bean
	DataSourceTransactionManager transactionManager(DataSource dataSource, FakeLockTemplate locks) {
		DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
		manager.setTransactionExecutionListeners(List.of(new TransactionLockVerifier(), new Recorder(locks.events())));
		return manager;
	}

	@Bean
	TransactionTemplate transactionTemplate(PlatformTransactionManager manager) {
		return new TransactionTemplate(manager);
	}

	private record Recorder(List<String> events) implements TransactionExecutionListener {

		@Override
		public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
			this.events.add("begin");
		}

		@Override
		public void beforeCommit(TransactionExecution transaction) {
			this.events.add("commit");
		}

		@Override
		public void beforeRollback(TransactionExecution transaction) {
			this.events.add("rollback");
		}

	}

}
