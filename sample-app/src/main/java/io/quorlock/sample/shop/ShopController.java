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

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class ShopController {

	private final StockService stock;

	private final Warehouse warehouse;

	ShopController(StockService stock, Warehouse warehouse) {
		this.stock = stock;
		this.warehouse = warehouse;
	}

	@PostMapping("/orders")
	@ResponseStatus(HttpStatus.CREATED)
	Order order(@RequestBody NewOrder order) {
		return this.stock.sell(required("sku", order.sku()), required("buyer", order.buyer()));
	}

	private static String required(String field, @Nullable String value) {
		if (!StringUtils.hasText(value)) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "An order needs a " + field);
		}
		return value;
	}

	@GetMapping("/stock/{sku}")
	Stock stock(@PathVariable String sku) {
		return this.warehouse.stock(sku);
	}

	record NewOrder(@Nullable String sku, @Nullable String buyer) {

	}

}
