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
