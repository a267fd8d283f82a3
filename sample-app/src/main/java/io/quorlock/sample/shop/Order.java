package io.quorlock.sample.shop;

/**
 * One piece that was sold.
 *
 * @param id the order's number
 * @param sku the article
 * @param buyer the buyer
 * @param fencingToken of the lock under which it was sold, 0 if there was none
 */
public record Order(long id, String sku, String buyer, long fencingToken) {

}
