package io.quorlock.sample.shop;

/**
 * Thrown when an article does not exist.
 */
public class UnknownArticleException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnknownArticleException(String sku) {
		super("There is no article '" + sku + "'");
	}

}
