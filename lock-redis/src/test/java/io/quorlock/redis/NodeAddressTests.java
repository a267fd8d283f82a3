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

package io.quorlock.redis;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link NodeAddress}.
 */
class NodeAddressTests {

	@Test
	void hostAloneIsEnough() {
		assertThat(NodeAddress.parse("redis://redis_1"))
			.isEqualTo(new NodeAddress("redis_1", 6379, false, null, null, 0));
	}

	@Test
	void everythingIsRead() {
		assertThat(NodeAddress.parse(" rediss://me:p%40ss:w%2Brd+@redis.example:7000/12 "))
			.isEqualTo(new NodeAddress("redis.example", 7000, true, "me", "p@ss:w+rd+", 12));
	}

	@Test
	void passwordMayBeAlone() {
		assertThat(NodeAddress.parse("redis://:secret@h/"))
			.isEqualTo(new NodeAddress("h", 6379, false, null, "secret", 0));
	}

	@Test
	void passwordMayHoldWhatSeparatesElsewhere() {
		assertThat(NodeAddress.parse("redis://me:s3:c/r@t@h").password()).isEqualTo("s3:c/r@t");
	}

	@Test
	void addressesOfTheSixthVersionStandInBrackets() {
		NodeAddress address = NodeAddress.parse("redis://[::1]:7000");
		assertThat(address.host()).isEqualTo("::1");
		assertThat(address.name()).isEqualTo("[::1]:7000");
	}

	@Test
	void hostThatTlsCannotVerifyIsRefused() {
		for (String host : List.of("redis_1", "redis_1.shop.example", "läden_1")) {
			assertThatExceptionOfType(InvalidNodeUriException.class)
				.isThrownBy(() -> NodeAddress.parse("rediss://" + host + ":6379"))
				.withMessageContaining("TLS verifies the host");
			assertThat(NodeAddress.parse("redis://" + host).host()).isEqualTo(host);
		}
		for (String host : List.of("redis-1", "10.0.0.1", "[::1]", "redis-1.shop.example.")) {
			assertThat(NodeAddress.parse("rediss://" + host).tls()).isTrue();
		}
	}

	@Test
	void ownLoginWinsOverTheDefault() {
		NodeAddress own = NodeAddress.parse("redis://me:mine@h");
		assertThat(own.withDefaultLogin("you", "yours")).isEqualTo(own);
		NodeAddress none = NodeAddress.parse("redis://h").withDefaultLogin("you", "yours");
		assertThat(none.username()).isEqualTo("you");
		assertThat(none.password()).isEqualTo("yours");
	}

	@Test
	void userWithoutAPasswordIsRefused() {
		NodeAddress none = NodeAddress.parse("redis://h");
		assertThatIllegalArgumentException().isThrownBy(() -> none.withDefaultLogin("you", null));
		assertThat(NodeAddress.parse("redis://:mine@h").withDefaultLogin("you", null).username()).isNull();
	}

	@Test
	void textHoldsNoSecret() {
		assertThat(NodeAddress.parse("rediss://me:secret@h:1/2")).hasToString("rediss://h:1/2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "h", "h:6379", "http://h", "redis://", "redis://h:0", "redis://h:65536", "redis://h:x",
			"redis://:6379", "redis://h/x", "redis://h?x=y", "redis://h#x", "redis://::1", "redis://h h", "redis:/h" })
	void whatIsNoAddressIsRefusedWithItsText(String uri) {
		assertThatExceptionOfType(InvalidNodeUriException.class).isThrownBy(() -> NodeAddress.parse(uri))
			.satisfies((ex) -> assertThat(ex.getReason()).isNotEmpty())
			.withMessageStartingWith("Invalid node URI '");
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis://me:s3cret@h:x", "redis://s3cret@h", "redis://:s3cret", "redis://me:s3%xcret@h",
			"me:s3cret@h", "redis://me:s3 cret@h:x", "redis://h:s3cret", "http://a:s3cret@h", "redis://me:s3cret/@h:x",
			"redis://h:6379/s3cret", "redis://h:63790s3cret", "redis//:s3cret@h", "redis://:s3cret@@",
			"redis://me:a@s3cret@h:x" })
	void noSecretIsShown(String uri) {
		assertThatExceptionOfType(InvalidNodeUriException.class).isThrownBy(() -> NodeAddress.parse(uri))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("cret"))
			.withNoCause();
	}

}
