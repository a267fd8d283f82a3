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
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.regex.Pattern;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Fencing for resources without a column for it: a table keeps the greatest token of each
 * resource.
 *
 * <pre class="code">
 * create table lock_fence (resource varchar(255) primary key, fence bigint not null)
 * </pre>
 *
 * Call {@link #check} in the transaction that reads and writes the resource, before it is
 * read: earlier holders are refused from then on, and later holders wait for the commit.
 *
 * @since 0.1.0
 */
public final class FenceTable {

	private static final Pattern NAME = Pattern.compile("[\\p{Alpha}_][\\w$]*(\\.[\\p{Alpha}_][\\w$]*)*");

	private final JdbcOperations jdbc;

	private final String table;

	/**
	 * Create a fence that uses the table {@code lock_fence}.
	 * @param jdbc the database
	 */
	public FenceTable(JdbcOperations jdbc) {
		this(jdbc, "lock_fence");
	}

	/**
	 * Create a fence that uses a table with the columns {@code resource} and
	 * {@code fence}.
	 * @param jdbc the database
	 * @param table the table
	 */
	public FenceTable(JdbcOperations jdbc, String table) {
		this.jdbc = jdbc;
		this.table = checkName(table);
	}

	/**
	 * Check that no later holder has used the resource. The same holder may call this
	 * several times.
	 * @param resource the name of the resource
	 * @param token the caller's fencing token
	 * @throws StaleFencingTokenException if a later holder has used the resource
	 * @throws ConcurrencyFailureException if another holder was the first to use the
	 * resource, after this transaction took its snapshot, as with the isolation
	 * {@code REPEATABLE READ}
	 * @throws IllegalStateException if there is no transaction
	 */
	public void check(String resource, long token) {
		Assert.state(TransactionSynchronizationManager.isActualTransactionActive(),
				"A fencing token has to be checked in the transaction that writes the resource");
		if (raise(resource, token) || (stored(resource).isEmpty() && insert(resource, token))
				|| raise(resource, token)) {
			return;
		}
		List<Long> stored = stored(resource);
		if (stored.isEmpty()) {
			throw new ConcurrencyFailureException("Another transaction has checked '" + resource
					+ "' for the first time, and this one cannot see it: try again in a new transaction");
		}
		throw new StaleFencingTokenException("'" + resource + "'", token, stored.get(0));
	}

	/** Check the name of a table or a column, which becomes part of a statement. */
	static String checkName(String name) {
		Assert.isTrue(NAME.matcher(name).matches(), () -> "'" + name + "' is no name of a table or a column");
		return name;
	}

	private boolean raise(String resource, long token) {
		return this.jdbc.update("UPDATE %s SET fence = ? WHERE resource = ? AND fence <= ?".formatted(this.table),
				token, resource, token) == 1;
	}

	private List<Long> stored(String resource) {
		return this.jdbc.queryForList("SELECT fence FROM %s WHERE resource = ?".formatted(this.table), Long.class,
				resource);
	}

	private boolean insert(String resource, long token) {
		return Boolean.TRUE.equals(this.jdbc.execute((ConnectionCallback<Boolean>) (connection) -> {
			// PostgreSQL aborts the whole transaction after a failed statement.
			Savepoint before = connection.setSavepoint();
			try {
				insert(connection, resource, token);
				return true;
			}
			catch (SQLException ex) {
				connection.rollback(before);
				if (isDuplicate(ex)) {
					return false; // another holder was first: its token decides
				}
				throw ex;
			}
		}));
	}

	private void insert(Connection connection, String resource, long token) throws SQLException {
		try (PreparedStatement statement = connection
			.prepareStatement("INSERT INTO %s (resource, fence) VALUES (?, ?)".formatted(this.table))) {
			statement.setString(1, resource);
			statement.setLong(2, token);
			statement.executeUpdate();
		}
	}

	/** Some databases have one state for every violation of a constraint. */
	private static boolean isDuplicate(SQLException ex) {
		return "23505".equals(ex.getSQLState()) || "23000".equals(ex.getSQLState());
	}

}
