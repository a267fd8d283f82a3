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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Fencing for the rows of a table that has a column for it:
 * {@code fence bigint not null default 0}. A row is written only by a holder whose token
 * is at least the greatest that was used for it before, so one holder can write twice.
 *
 * <pre class="code">
 * FenceColumn fence = new FenceColumn(jdbc, "stock", "sku", "fence");
 * long token = LockContext.fencingToken();
 * fence.check(sku, token);
 * int pieces = warehouse.pieces(sku);
 * fence.update(sku, token, "pieces = ?", pieces - 1);
 * </pre>
 *
 * What is written depends on what was read, so the token is checked before the row is
 * read: a former holder is refused from then on, and cannot write in between. A write
 * that depends on nothing needs {@link #update} alone.
 *
 * @since 0.1.0
 */
public final class FenceColumn {

	private final JdbcOperations jdbc;

	private final String table;

	private final String keyColumn;

	private final String fenceColumn;

	/**
	 * Create a fence for the rows of a table.
	 * @param jdbc the database
	 * @param table the table
	 * @param keyColumn its primary key
	 * @param fenceColumn holds the greatest token that was used for the row
	 */
	public FenceColumn(JdbcOperations jdbc, String table, String keyColumn, String fenceColumn) {
		this.jdbc = jdbc;
		this.table = FenceTable.checkName(table);
		this.keyColumn = FenceTable.checkName(keyColumn);
		this.fenceColumn = FenceTable.checkName(fenceColumn);
	}

	/**
	 * Check that no later holder has used a row, and refuse earlier holders from now on.
	 * Inside a transaction, holders of other tokens wait for its end; without one, write
	 * the row with {@link #update}.
	 * @param key the key of the row
	 * @param token the caller's fencing token
	 * @throws StaleFencingTokenException if a later holder has used the row
	 * @throws EmptyResultDataAccessException if there is no such row
	 * @throws DataIntegrityViolationException if the fence of the row is null
	 */
	public void check(Object key, long token) {
		write(key, token, "", List.of());
	}

	/**
	 * Write a row, unless a later holder has used it. This is one statement, which needs
	 * no transaction; inside a transaction, later holders wait for the commit.
	 * @param key the key of the row
	 * @param token the caller's fencing token
	 * @param assignments what to write, as after {@code SET}, for example
	 * {@code pieces = ?}; never text from a user
	 * @param arguments the values of the assignments' parameters
	 * @throws StaleFencingTokenException if a later holder has used the row
	 * @throws EmptyResultDataAccessException if there is no such row
	 * @throws DataIntegrityViolationException if the fence of the row is null
	 */
	public void update(Object key, long token, String assignments, @Nullable Object... arguments) {
		write(key, token, assignments + ", ", Arrays.asList(arguments));
	}

	private void write(Object key, long token, String assignments, List<@Nullable Object> arguments) {
		List<@Nullable Object> all = new ArrayList<>(arguments);
		all.addAll(List.of(token, key, token));
		int rows = this.jdbc.update("UPDATE %s SET %s%s = ? WHERE %s = ? AND %s <= ?".formatted(this.table, assignments,
				this.fenceColumn, this.keyColumn, this.fenceColumn), all.toArray());
		if (rows == 0) {
			throw refused(key, token);
		}
	}

	private RuntimeException refused(Object key, long token) {
		List<@Nullable Long> stored = this.jdbc.queryForList(
				"SELECT %s FROM %s WHERE %s = ?".formatted(this.fenceColumn, this.table, this.keyColumn), Long.class,
				key);
		if (stored.isEmpty()) {
			return new EmptyResultDataAccessException(
					"%s has no row with %s = '%s'".formatted(this.table, this.keyColumn, key), 1);
		}
		Long greatest = stored.get(0);
		return (greatest != null)
				? new StaleFencingTokenException("%s '%s'".formatted(this.table, key), token, greatest)
				: new DataIntegrityViolationException("%s '%s' has no %s: it has to be 0 before its first holder"
					.formatted(this.table, key, this.fenceColumn));
	}

}
