package io.quorlock.benchmarks;

import java.util.List;

/**
 * One of the questions that are asked of every subject. The main program conducts, forks
 * measure.
 */
interface Study {

	/**
	 * Its name in options and results.
	 */
	String name();

	/**
	 * Options of the forks' JVMs: a heap that is there from the beginning. Where it still
	 * grows, every page that is touched for the first time would be the price of the
	 * subject that happens to touch it.
	 */
	default List<String> heap() {
		return List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch");
	}

	/**
	 * Runs in the main program: starts nodes and forks.
	 */
	void conduct(Plan plan) throws Exception;

	/**
	 * Runs in a fork: measures.
	 */
	void measure(Plan plan, ForkTask task) throws Exception;

}
