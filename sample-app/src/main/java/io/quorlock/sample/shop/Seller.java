package io.quorlock.sample.shop;

/**
 * Sells one piece of an article to one buyer.
 */
public interface Seller {

	/**
	 * Sell one piece.
	 * @param sku the article
	 * @param buyer the customer that gets it
	 * @return the order
	 * @throws SoldOutException if there is none left
	 * @throws UnknownArticleException if there is no such article
	 */
	Order sell(String sku, String buyer);

}
