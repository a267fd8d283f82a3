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
 * What all nodes together have executed.
 *
 * @param all commands, those inside scripts included
 * @param scripts scripts and functions
 * @param published messages published
 */
record NodeCommands(long all, long scripts, long published) {

	private static final Pattern CALLS = Pattern.compile("cmdstat_(\\S+):calls=(\\d+)");

	NodeCommands minus(NodeCommands earlier) {
		return new NodeCommands(this.all - earlier.all, this.scripts - earlier.scripts,
				this.published - earlier.published);
	}

	static NodeCommands of(List<Jedis> nodes) {
		long all = 0;
		long scripts = 0;
		long published = 0;
		for (Jedis node : nodes) {
			for (Matcher found = CALLS.matcher(node.info("commandstats")); found.find();) {
				String command = found.group(1);
				long calls = Long.parseLong(found.group(2));
				all += command.equals("info") ? 0 : calls;
				scripts += (command.startsWith("eval") || command.startsWith("fcall")) ? calls : 0;
				published += command.endsWith("publish") ? calls : 0;
			}
		}
		return new NodeCommands(all, scripts, published);
	}

}
