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

package io.quorlock.sample.shop;

import java.util.List;
import java.util.Objects;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import io.quorlock.fencing.FenceColumn;

/**
 * The tables {@code stock} and {@code orders}. Two calls together are atomic only in a
 * transaction.
 */
@Repository
public class Warehouse {

	private final JdbcClient jdbc;

	private final FenceColumn fence;

	Warehouse(JdbcClient jdbc, JdbcOperations operations) {
		this.jdbc = jdbc;
		this.fence = new FenceColumn(operations, "stock", "sku", "fence");
	}

	/**
	 * Return how many pieces of an article are left.
	 * @param sku the article
	 * @return the number of pieces
	 * @throws UnknownArticleException if there is no such article
	 */
	public int pieces(String sku) {
		return this.jdbc.sql("select pieces from stock where sku = ?")
			.param(sku)
			.query(Integer.class)
			.optional()
			.orElseThrow(() -> new UnknownArticleException(sku));
	}

	/**
	 * Return one article.
	 * @param sku the article
	 * @return what is known of it
	 * @throws UnknownArticleException if there is no such article
	 */
	public Stock stock(String sku) {
		return stocks().stream()
			.filter((stock) -> stock.sku().equals(sku))
			.findAny()
			.orElseThrow(() -> new UnknownArticleException(sku));
	}

	/**
	 * Return all articles.
	 * @return what is known of them, by name
	 */
	public List<Stock> stocks() {
		return this.jdbc.sql("""
				select sku, pieces, delivered, (select count(*) from orders where orders.sku = stock.sku) as sold
				from stock order by sku""").query(Stock.class).list();
	}

	/** Refuse earlier holders of the lock from now on. */
	@Transactional
	void check(String sku, long fencingToken) {
		try {
			this.fence.check(sku, fencingToken);
		}
		catch (EmptyResultDataAccessException ex) {
			throw new UnknownArticleException(sku);
		}
	}

	/** Refused if a later holder of the lock has used the row. */
	void write(String sku, int pieces, long fencingToken) {
		this.fence.update(sku, fencingToken, "pieces = ?", pieces);
	}

	/** Write what is left and the order, both or neither. */
	@Transactional
	Order order(String sku, int pieces, String buyer, long fencingToken) {
		write(sku, pieces, fencingToken);
		return addOrder(sku, buyer, fencingToken);
	}

	void writeUnfenced(String sku, int pieces) {
		this.jdbc.sql("update stock set pieces = ? where sku = ?").params(pieces, sku).update();
	}

	Order addOrder(String sku, String buyer, long fencingToken) {
		GeneratedKeyHolder keys = new GeneratedKeyHolder();
		this.jdbc.sql("insert into orders (sku, buyer, fence) values (?, ?, ?)")
			.params(sku, buyer, fencingToken)
			.update(keys, "id");
		return new Order(Objects.requireNonNull(keys.getKeyAs(Long.class)), sku, buyer, fencingToken);
	}

	void replace(String sku, int pieces, long fencingToken) {
		this.jdbc.sql("""
				insert into stock (sku, pieces, delivered) select ?, 0, 0
				where not exists (select 1 from stock where sku = ?)""").params(sku, sku).update();
		this.fence.update(sku, fencingToken, "pieces = ?, delivered = ?", pieces, pieces);
		this.jdbc.sql("delete from orders where sku = ?").param(sku).update();
	}

}
