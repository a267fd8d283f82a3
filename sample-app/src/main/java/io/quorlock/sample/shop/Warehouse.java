package io.quorlock.sample.shop;

import java.util.List;
import java.util.Objects;

import io.quorlock.fencing.FenceColumn;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Repository;

/**
 * The tables {@code stock} and {@code orders}. Nothing here is atomic over two calls.
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
	 * What is left of an article.
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
	 * The articles.
	 * @return their names, sorted
	 */
	public List<String> skus() {
		return this.jdbc.sql("select sku from stock order by sku").query(String.class).list();
	}

	/** Refused if a later holder of the lock has written the row. */
	void write(String sku, int pieces, long fencingToken) {
		this.fence.update(sku, fencingToken, "pieces = ?", pieces);
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

	/**
	 * How many pieces of an article were sold.
	 * @param sku the article
	 * @return the number of orders
	 */
	public int sold(String sku) {
		return this.jdbc.sql("select count(*) from orders where sku = ?").param(sku).query(Integer.class).single();
	}

	/**
	 * Puts pieces on the shelf and forgets who bought the former ones. The fence stays.
	 * @param sku the article, new or known
	 * @param pieces how many there are now
	 */
	public void restock(String sku, int pieces) {
		this.jdbc.sql("delete from orders where sku = ?").param(sku).update();
		if (this.jdbc.sql("update stock set pieces = ? where sku = ?").params(pieces, sku).update() == 0) {
			this.jdbc.sql("insert into stock (sku, pieces) values (?, ?)").params(sku, pieces).update();
		}
	}

}
