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

package io.quorlock.zookeeper;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LockPathsTests {

	private final LockPaths paths = new LockPaths("/apps/locks");

	@Test
	void keepsNamesAsTheyAreWhereZooKeeperAllowsIt() {
		assertThat(this.paths.container("order:42")).isEqualTo("/apps/locks/order:42");
		assertThat(this.paths.container("订单 7~x")).isEqualTo("/apps/locks/订单 7~x");
	}

	@Test
	void encodesWhatZooKeeperRefuses() {
		assertThat(LockPaths.encode("a/b")).isEqualTo("a%2Fb");
		assertThat(LockPaths.encode("100%")).isEqualTo("100%25");
		assertThat(LockPaths.encode(".")).isEqualTo("%2E");
		assertThat(LockPaths.encode("..")).isEqualTo("%2E%2E");
		assertThat(LockPaths.encode("...")).isEqualTo("...");
		assertThat(LockPaths.encode("\u0000\n\u007F\uE000\uFFF0")).isEqualTo("%00%0A%7F%EE%80%80%EF%BF%B0");
		assertThat(LockPaths.encode("\u001F\u0020~\u009F\u00A0")).isEqualTo("%1F\u0020~%C2%9F\u00A0");
		assertThat(LockPaths.encode("\uF8FF\uF900\uFFEF")).isEqualTo("%EF%A3%BF\uF900\uFFEF");
		assertThat(LockPaths.encode("\uD83D\uDD12")).isEqualTo("%F0%9F%94%92");
	}

	@Test
	void givesEveryCharacterAValidPathOfItsOwn() {
		Set<String> encoded = Stream.iterate(1, (c) -> c < 0x11000, (c) -> c + 1)
			.filter((c) -> !(c >= 0xD800 && c <= 0xDFFF))
			.map((c) -> LockPaths.encode(Character.toString(c)))
			.peek((name) -> PathUtils.validatePath("/" + name))
			.collect(Collectors.toSet());
		assertThat(encoded).hasSize(0x11000 - 1 - 0x800);
	}

	@Test
	void listsTheRootAndItsParents() {
		assertThat(this.paths.rootAndParents()).containsExactly("/apps", "/apps/locks");
		assertThat(new LockPaths("/").rootAndParents()).isEmpty();
		assertThat(new LockPaths("/").container("a")).isEqualTo("/a");
	}

	@Test
	void keepsItsOwnNodesApartFromNames() {
		assertThat(LockPaths.encode("%sessions")).isNotEqualTo("%sessions");
		assertThat(this.paths.sessions()).isEqualTo("/apps/locks/%sessions");
		assertThat(this.paths.tokenBase()).isEqualTo("/apps/locks/%token-base");
	}

}
