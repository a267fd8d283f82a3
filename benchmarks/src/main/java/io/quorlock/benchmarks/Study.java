/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
