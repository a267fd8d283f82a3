package io.quorlock.sample.shop;

/**
 * There is no piece left.
 */
public class SoldOutException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	SoldOutException(String sku) {
		super("'" + sku + "' is sold out");
	}

}
