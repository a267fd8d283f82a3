package example;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.fencing.FenceColumn;

@Service
public class StockService {

	private final JdbcTemplate jdbc;

	private final FenceColumn fence;

	StockService(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.fence = new FenceColumn(jdbc, "stock", "sku", "fence");
	}

	@DistributedLock(name = "stock", key = "#sku")
	@Transactional
	public void sell(String sku) {
		int pieces = pieces(sku);
		// UPDATE stock SET pieces = ?, fence = ? WHERE sku = ? AND fence <= ?
		this.fence.update(sku, LockContext.fencingToken(), "pieces = ?", pieces - 1);
	}

	public int pieces(String sku) {
		return this.jdbc.queryForObject("SELECT pieces FROM stock WHERE sku = ?", Integer.class, sku);
	}

}
