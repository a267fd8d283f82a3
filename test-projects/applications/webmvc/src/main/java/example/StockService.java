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
