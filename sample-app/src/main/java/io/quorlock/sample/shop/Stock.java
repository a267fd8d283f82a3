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

/**
 * One article.
 *
 * @param sku its name
 * @param pieces what is left
 * @param delivered what there was
 * @param sold how many orders there are
 */
public record Stock(String sku, int pieces, int delivered, int sold) {

	/**
	 * Return how many pieces were sold in excess of the delivery.
	 * @return the number of pieces
	 */
	public int oversold() {
		return Math.max(0, this.sold + this.pieces - this.delivered);
	}

}
