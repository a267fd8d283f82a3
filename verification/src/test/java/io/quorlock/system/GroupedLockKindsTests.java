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

package io.quorlock.system;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.DefaultLockTemplate;

/**
 * The kinds of locks over two groups of nodes (R23).
 */
class GroupedLockKindsTests extends LockKindsContract {

	private static final List<RealEngine> instances = new ArrayList<>();

	private static EmbeddedRedis redis;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(4);
		List<String> uris = redis.uris();
		Map<String, List<String>> groups = Map.of("a", uris.subList(0, 3), "b", uris.subList(3, 4));
		for (int i = 0; i < 2; i++) {
			instances.add(RealEngine.start("app@host:" + i, groups));
		}
	}

	@AfterAll
	static void stop() {
		instances.forEach(RealEngine::close);
		instances.clear();
		redis.close();
	}

	@Override
	DefaultLockTemplate instance(int number) {
		return instances.get(number).template;
	}

}
