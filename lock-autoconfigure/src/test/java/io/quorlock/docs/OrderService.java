package io.quorlock.docs;

/**
 * The service of the quick start, for the test that the documentation shows.
 */
interface OrderService {

	void ship(long orderId);

}
