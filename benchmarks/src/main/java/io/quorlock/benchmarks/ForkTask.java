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

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The task of one fork.
 *
 * @param study the study's name
 * @param fork which repetition
 * @param process which of the JVMs that work together
 * @param detail specific to the study: a subject, a condition
 * @param ports the ports of the nodes, or of the proxies in front of them
 * @param nodePorts the ports of the nodes
 */
record ForkTask(String study, int fork, int process, String detail, List<Integer> ports, List<Integer> nodePorts) {

	static final int ARGUMENTS = 6;

	List<String> arguments() {
		return List.of(this.study, Integer.toString(this.fork), Integer.toString(this.process), this.detail,
				join(this.ports), join(this.nodePorts));
	}

	static ForkTask parse(List<String> arguments) {
		return new ForkTask(arguments.get(0), Integer.parseInt(arguments.get(1)), Integer.parseInt(arguments.get(2)),
				arguments.get(3), split(arguments.get(4)), split(arguments.get(5)));
	}

	Measurement measured(String subject, String condition, int round, String metric, double value) {
		return new Measurement(this.study, subject, condition, this.fork, round, metric, value);
	}

	private static String join(List<Integer> ports) {
		return ports.stream().map(String::valueOf).collect(Collectors.joining(","));
	}

	private static List<Integer> split(String ports) {
		return Arrays.stream(ports.split(",")).map(Integer::valueOf).toList();
	}

}
