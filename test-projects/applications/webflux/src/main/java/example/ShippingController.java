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
