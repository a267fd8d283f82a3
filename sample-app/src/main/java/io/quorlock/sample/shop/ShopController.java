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
