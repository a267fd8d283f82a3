package io.quorlock.benchmarks;

import java.util.List;

/**
 * A measurement of all subjects. The main program controls it, and forks measure.
 */
interface Study {

	/**
	 * Return its name in options and results.
	 */
	String name();

	/**
	 * Options of the forks' JVMs: a heap of fixed size, all of which is touched at the
	 * start. Otherwise the cost of the first access to each page would be measured for
	 * the subject that happens to access it.
	 */
	default List<String> heap() {
		return List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch");
	}

	/**
	 * Run in the main program: start nodes and forks.
	 */
	void conduct(Plan plan) throws Exception;

	/**
	 * Run in a fork: measure.
	 */
	void measure(Plan plan, ForkTask task) throws Exception;

}
