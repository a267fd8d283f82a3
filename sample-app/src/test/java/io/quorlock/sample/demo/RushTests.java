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

package io.quorlock.sample.demo;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.shop.Seller;
import io.quorlock.sample.shop.Stock;
import io.quorlock.sample.shop.StockService;
import io.quorlock.sample.shop.UnguardedStockService;
import io.quorlock.sample.shop.Warehouse;
import io.quorlock.sample.watch.VisitLog;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:test")
class RushTests {

	@Autowired
	private Fleet fleet;

	@Autowired
	private StockService stock;

	@Autowired
	private Warehouse warehouse;

	@Autowired
	private VisitLog visits;

	@Test
	void twoInstancesWithTheLockSellExactlyWhatIsThere() throws InterruptedException {
		long overlaps = this.visits.overlaps();
		Stock left = rush(StockService.class, "ball");
		assertThat(left.sold()).isEqualTo(100);
		assertThat(left.pieces()).isZero();
		assertThat(left.oversold()).isZero();
		assertThat(this.visits.overlaps()).isEqualTo(overlaps);
	}

	@Test
	void withoutTheLockTheSameRushSellsWhatIsNotThereAndTheOverlapsAreSeen() throws InterruptedException {
		long overlaps = this.visits.unguardedOverlaps();
		Stock left = rush(UnguardedStockService.class, "kite");
		assertThat(left.oversold()).isPositive();
		assertThat(this.visits.unguardedOverlaps()).isGreaterThan(overlaps);
	}

	private Stock rush(Class<? extends Seller> seller, String sku) throws InterruptedException {
		this.stock.restock(sku, 100);
		new Rush(this.fleet.instances(), seller, sku, 8, Duration.ZERO).start().await();
		return this.warehouse.stock(sku);
	}

}
