package example;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class StockController {

	private final StockService stock;

	StockController(StockService stock) {
		this.stock = stock;
	}

	@PostMapping("/sales/{sku}")
	int sell(@PathVariable String sku) {
		this.stock.sell(sku);
		return this.stock.pieces(sku);
	}

}
