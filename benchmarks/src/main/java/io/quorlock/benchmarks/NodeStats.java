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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import redis.clients.jedis.Jedis;

/**
 * The sum of the statistics of all nodes.
 *
 * @param commands commands executed, those inside scripts included
 * @param reads reads from sockets: the more commands per read, the less work for the node
 * @param cpuMicros CPU time
 */
record NodeStats(long commands, long reads, double cpuMicros) {

	private static final Pattern CALLS = Pattern.compile("cmdstat_(\\S+):calls=(\\d+)");

	private static final Pattern READS = Pattern.compile("total_reads_processed:(\\d+)");

	private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");

	NodeStats minus(NodeStats earlier) {
		return new NodeStats(this.commands - earlier.commands, this.reads - earlier.reads,
				this.cpuMicros - earlier.cpuMicros);
	}

	static NodeStats of(List<Jedis> nodes) {
		long commands = 0;
		long reads = 0;
		double cpu = 0;
		for (Jedis node : nodes) {
			String info = node.info("all");
			for (Matcher found = CALLS.matcher(info); found.find();) {
				commands += found.group(1).equals("info") ? 0 : Long.parseLong(found.group(2));
			}
			for (Matcher found = READS.matcher(info); found.find();) {
				reads += Long.parseLong(found.group(1));
			}
			for (Matcher found = CPU.matcher(info); found.find();) {
				cpu += Double.parseDouble(found.group(1)) * 1e6;
			}
		}
		return new NodeStats(commands, reads, cpu);
	}

}
