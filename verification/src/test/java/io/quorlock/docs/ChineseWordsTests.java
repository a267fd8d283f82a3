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

package io.quorlock.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the Chinese pages keep to their words: 集群 is a Redis Cluster or an ensemble
 * of ZooKeeper servers, and the instances of an application are 实例.
 */
class ChineseWordsTests {

	private static final Pattern CLUSTER_OF_SERVERS = Pattern
		.compile("(Redis|ZooKeeper|Kubernetes|Proxy|etcd) ?(Cluster )?集群|集群(版|架构|模式)|`cluster");

	@Test
	void instancesOfAnApplicationAreNoCluster() {
		List<String> wrong = pages().stream()
			.flatMap((page) -> Documentation.read(page)
				.lines()
				.filter((line) -> CLUSTER_OF_SERVERS.matcher(line).replaceAll("").contains("集群"))
				.map((line) -> page.getFileName() + ": " + line))
			.toList();
		assertThat(wrong).isEmpty();
	}

	@Test
	void lostLockDoesNotUndoACommit() {
		List<String> wrong = pages().stream()
			.flatMap((page) -> Documentation.read(page)
				.lines()
				.filter((line) -> line.contains("LockLostException") && line.contains("回滚"))
				.filter((line) -> !line.contains("提交"))
				.map((line) -> page.getFileName() + ": " + line))
			.toList();
		assertThat(wrong).isEmpty();
	}

	private static List<Path> pages() {
		List<Path> pages = Documentation.pages()
			.stream()
			.filter((page) -> page.toString().contains("/zh/") || page.toString().endsWith(".zh-CN.md"))
			.toList();
		assertThat(pages).hasSizeGreaterThan(5);
		return pages;
	}

}
