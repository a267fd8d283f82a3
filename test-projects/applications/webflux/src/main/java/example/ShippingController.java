package example;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;

@RestController
class ShippingController {

	private final Shipping shipping;

	ShippingController(Shipping shipping) {
		this.shipping = shipping;
	}

	@PostMapping("/shipments/{orderId}")
	Mono<Long> ship(@PathVariable long orderId) {
		return this.shipping.ship(orderId);
	}

	@Service
	static class Shipping {

		@DistributedLock(name = "order", key = "#orderId")
		public Mono<Long> ship(long orderId) {
			return Mono.just(LockContext.fencingToken());
		}

	}

}
