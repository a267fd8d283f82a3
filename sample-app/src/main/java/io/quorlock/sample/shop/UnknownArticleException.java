package io.quorlock.sample.shop;

/**
 * There is no such article.
 */
public class UnknownArticleException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnknownArticleException(String sku) {
		super("There is no article '" + sku + "'");
	}

}
