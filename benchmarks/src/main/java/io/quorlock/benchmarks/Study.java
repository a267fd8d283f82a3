package io.quorlock.benchmarks;

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
	 * Runs in the main program: starts nodes and forks.
	 */
	void conduct(Plan plan) throws Exception;

	/**
	 * Runs in a fork: measures.
	 */
	void measure(Plan plan, ForkTask task) throws Exception;

}
