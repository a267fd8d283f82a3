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

package io.quorlock.sample.fleet;

import org.springframework.context.ApplicationContext;

import io.quorlock.engine.LockInspector;
import io.quorlock.sample.shop.Payment;
import io.quorlock.sample.shop.Seller;

/**
 * One instance of the shop.
 *
 * @param name its name in locks and on the console
 * @param context its application context
 */
public record Instance(String name, ApplicationContext context) {

	/**
	 * Return a seller of this instance.
	 * @param type which one
	 * @return the seller
	 */
	public Seller seller(Class<? extends Seller> type) {
		return this.context.getBean(type);
	}

	/**
	 * Return the payment of this instance.
	 * @return the payment
	 */
	public Payment payment() {
		return this.context.getBean(Payment.class);
	}

	/**
	 * Return what looks into the lock engine of this instance.
	 * @return the inspector
	 */
	public LockInspector inspector() {
		return this.context.getBean(LockInspector.class);
	}

}
