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

package io.quorlock.fencing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.BDDMockito;
import org.mockito.InOrder;
import org.mockito.Mockito;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.anyString;

class JdbcFencingTests {

	private final EmbeddedDatabase database = new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2)
		.generateUniqueName(true)
		.build();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.database);

	private final TransactionTemplate transaction = new TransactionTemplate(
			new DataSourceTransactionManager(this.database));

	private final FenceColumn column = new FenceColumn(this.jdbc, "stock", "sku", "fence");

	private final FenceTable table = new FenceTable(this.jdbc);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@BeforeEach
	void createTables() {
		this.jdbc.execute("create table stock (sku varchar(64) primary key, pieces integer not null,"
				+ " fence bigint default 0 not null)");
		this.jdbc.execute("create table lock_fence (resource varchar(1024) primary key, fence bigint not null)");
		this.jdbc.update("insert into stock (sku, pieces) values ('a', 10)");
	}

	@AfterEach
	void shutdown() {
		this.threads.shutdownNow();
		this.database.shutdown();
	}

	@Test
	void aHolderWritesARowTwice() {
		this.column.update("a", 7, "pieces = ?", 9);
		this.column.update("a", 7, "pieces = ?", 8);
		assertThat(pieces()).isEqualTo(8);
		assertThat(this.jdbc.queryForObject("select fence from stock", Long.class)).isEqualTo(7);
	}

	@Test
	void aHolderThatCannotSeeWhichWasFirstHasToTryAgain() {
		JdbcOperations snapshot = Mockito.mock(JdbcOperations.class);
		BDDMockito.given(snapshot.execute(Mockito.<ConnectionCallback<Boolean>>any())).willReturn(false);
		FenceTable table = new FenceTable(snapshot);
		assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> table.check("a", 7)))
			.withMessageContaining("'a'");
	}

	/** Another transaction would fail as well. */
	@Test
	void aConstraintThatRefusesTheTokenIsNotTakenForAnotherHolder() {
		this.jdbc.execute("alter table lock_fence add constraint few check (fence < 5)");
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.table.check("a", 7)))
			.withMessageContaining("FEW");
	}

	@Test
	void anEarlierHolderIsRefusedAndWritesNothing() {
		this.column.update("a", 8, "pieces = ?", 5);
		assertThatExceptionOfType(StaleFencingTokenException.class)
			.isThrownBy(() -> this.column.update("a", 7, "pieces = ?", 9))
			.withMessage("Fencing token 7 is stale: stock 'a' has seen 8")
			.satisfies((ex) -> {
				assertThat(ex.token()).isEqualTo(7);
				assertThat(ex.stored()).isEqualTo(8);
			});
		assertThat(pieces()).isEqualTo(5);
	}

	@Test
	void aHolderThatChecksBeforeItReadsRefusesEarlierOnesThatHaveNotWrittenYet() {
		this.column.check("a", 7);
		this.column.check("a", 7);
		this.column.check("a", 8);
		assertThatExceptionOfType(StaleFencingTokenException.class)
			.isThrownBy(() -> this.column.update("a", 7, "pieces = ?", 9));
		assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> this.column.check("a", 7))
			.withMessage("Fencing token 7 is stale: stock 'a' has seen 8");
		this.column.update("a", 8, "pieces = ?", 4);
		assertThat(pieces()).isEqualTo(4);
	}

	@Test
	void aLaterHolderThatChecksWaitsAndReadsWhatTheEarlierOneCommitted() throws Exception {
		CountDownLatch checked = new CountDownLatch(1);
		CountDownLatch commit = new CountDownLatch(1);
		CompletableFuture<Void> first = CompletableFuture
			.runAsync(() -> this.transaction.executeWithoutResult((status) -> {
				this.column.check("a", 7);
				checked.countDown();
				await(commit);
				this.column.update("a", 7, "pieces = ?", Objects.requireNonNull(pieces()) - 1);
			}), this.threads);
		await(checked);
		CompletableFuture<Void> second = CompletableFuture
			.runAsync(() -> this.transaction.executeWithoutResult((status) -> {
				this.column.check("a", 8);
				this.column.update("a", 8, "pieces = ?", Objects.requireNonNull(pieces()) - 1);
			}), this.threads);
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> second.get(200, TimeUnit.MILLISECONDS));
		commit.countDown();
		first.get(30, TimeUnit.SECONDS);
		second.get(30, TimeUnit.SECONDS);
		assertThat(pieces()).isEqualTo(8);
	}

	@Test
	void aRowThatIsNotThereIsNoStaleToken() {
		assertThatExceptionOfType(EmptyResultDataAccessException.class)
			.isThrownBy(() -> this.column.update("b", 7, "pieces = ?", 9))
			.withMessage("stock has no row with sku = 'b'");
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> this.column.check("b", 7))
			.withMessage("stock has no row with sku = 'b'");
	}

	@Test
	void aRowWithoutATokenIsNamed() {
		this.jdbc.execute("alter table stock alter column fence set null");
		this.jdbc.update("insert into stock (sku, pieces, fence) values ('c', 3, null)");
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.column.update("c", 7, "pieces = ?", 9))
			.withMessage("stock 'c' has no fence: it has to be 0 before its first holder");
		assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(() -> this.column.check("c", 7));
	}

	@Test
	void namesThatAreNoNamesAreRefused() {
		String drop = "stock; drop table stock";
		for (ThrowingCallable refused : List.<ThrowingCallable>of(
				() -> new FenceColumn(this.jdbc, drop, "sku", "fence"),
				() -> new FenceColumn(this.jdbc, "stock", drop, "fence"),
				() -> new FenceColumn(this.jdbc, "stock", "sku", drop), () -> new FenceTable(this.jdbc, drop))) {
			assertThatIllegalArgumentException().isThrownBy(refused)
				.withMessage("'stock; drop table stock' is no name of a table or a column");
		}
	}

	@Test
	void theSmallTableLetsAHolderPassTwiceAndALaterOneAfterIt() {
		inTransaction(7);
		inTransaction(7);
		inTransaction(9);
		assertThat(fence()).isEqualTo(9);
	}

	@Test
	void theSmallTableRefusesAnEarlierHolderAndItsTransactionWritesNothing() {
		inTransaction(8);
		assertThatExceptionOfType(StaleFencingTokenException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.jdbc.update("update stock set pieces = 0");
				this.table.check("report", 7);
			}))
			.withMessage("Fencing token 7 is stale: 'report' has seen 8");
		assertThat(pieces()).isEqualTo(10);
	}

	@Test
	void theSmallTableWantsATransaction() {
		assertThatIllegalStateException().isThrownBy(() -> this.table.check("report", 7))
			.withMessage("A fencing token has to be checked in the transaction that writes the resource");
	}

	@Test
	void aLaterHolderWaitsForTheTransactionThatPassedBefore() throws Exception {
		inTransaction(1);
		CountDownLatch passed = new CountDownLatch(1);
		CountDownLatch commit = new CountDownLatch(1);
		CompletableFuture<Void> first = CompletableFuture
			.runAsync(() -> this.transaction.executeWithoutResult((status) -> {
				this.table.check("report", 7);
				passed.countDown();
				await(commit);
			}), this.threads);
		await(passed);
		CompletableFuture<Void> second = CompletableFuture.runAsync(() -> inTransaction(8), this.threads);
		assertThat(second).isNotDone();
		commit.countDown();
		first.get(30, TimeUnit.SECONDS);
		second.get(30, TimeUnit.SECONDS);
		assertThat(fence()).isEqualTo(8);
	}

	@Test
	void ofTwoFirstHoldersTheLaterTokenStands() throws Exception {
		for (int round = 0; round < 50; round++) {
			this.jdbc.update("delete from lock_fence");
			CountDownLatch start = new CountDownLatch(1);
			List<CompletableFuture<Void>> holders = List.of(7, 8)
				.stream()
				.map((token) -> CompletableFuture.runAsync(() -> {
					await(start);
					try {
						inTransaction(token);
					}
					catch (StaleFencingTokenException ex) {
						assertThat(ex.token()).isEqualTo(7);
					}
				}, this.threads))
				.toList();
			start.countDown();
			for (CompletableFuture<Void> holder : holders) {
				holder.get(30, TimeUnit.SECONDS);
			}
			assertThat(fence()).isEqualTo(8);
		}
	}

	/**
	 * PostgreSQL refuses every statement after one that failed, until it is rolled back.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "23505", "23000" }) // of PostgreSQL, and of MySQL
	void insertThatFailsIsRolledBackBeforeTheTransactionGoesOn(String duplicate) throws Exception {
		Connection connection = Mockito.mock(Connection.class);
		PreparedStatement statement = Mockito.mock(PreparedStatement.class);
		Savepoint before = Mockito.mock(Savepoint.class);
		BDDMockito.given(connection.setSavepoint()).willReturn(before);
		BDDMockito.given(connection.prepareStatement(anyString())).willReturn(statement);
		BDDMockito.given(statement.executeQuery()).willReturn(Mockito.mock(ResultSet.class));
		BDDMockito.given(statement.executeUpdate())
			.willReturn(0)
			.willThrow(new SQLException("another was first", duplicate))
			.willReturn(1);
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			new FenceTable(new JdbcTemplate(new SingleConnectionDataSource(connection, true))).check("a", 7);
		}
		finally {
			TransactionSynchronizationManager.setActualTransactionActive(false);
		}
		InOrder order = Mockito.inOrder(connection, statement);
		order.verify(connection).setSavepoint();
		order.verify(connection).rollback(before);
		order.verify(statement).executeUpdate();
	}

	/** It would be refused in a new transaction as well. */
	@Test
	void insertThatFailsForAnotherReasonSaysSo() {
		String tooLong = "a".repeat(1025);
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.table.check(tooLong, 7)));
	}

	private void inTransaction(long token) {
		this.transaction.executeWithoutResult((status) -> this.table.check("report", token));
	}

	private @Nullable Integer pieces() {
		return this.jdbc.queryForObject("select pieces from stock where sku = 'a'", Integer.class);
	}

	private @Nullable Long fence() {
		return this.jdbc.queryForObject("select fence from lock_fence where resource = 'report'", Long.class);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
