package io.quorlock.sample.shop;

/**
 * Thrown when no piece of an article is left.
 */
public class SoldOutException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	SoldOutException(String sku) {
		super("'" + sku + "' is sold out");
	}

}
