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

package io.quorlock.quorum.node;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InstanceMessage}.
 */
class InstanceMessageTests {

	@Test
	void messagesOfTheScriptsAreRead() {
		assertMessage("offer\nticket\na\nname of two lines",
				new InstanceMessage.Offer("ticket", "a\nname of two lines"));
		assertMessage("next\nticket\norder", new InstanceMessage.Next("ticket", "order"));
		assertMessage("wanted\napp@host:1:ab:r7", new InstanceMessage.LeaseWanted("app@host:1:ab:r7"));
		assertMessage("forced\napp@host:1:ab:7\n3", new InstanceMessage.Forced("app@host:1:ab:7", 3));
		assertMessage("5000\nid\napp@host:1:ab:7",
				new InstanceMessage.ReleaseRequested("id", Duration.ofSeconds(5), "app@host:1:ab:7"));
	}

	private static void assertMessage(String text, InstanceMessage message) {
		assertThat(InstanceMessage.parse(text)).isEqualTo(message);
	}

	/** Such as those of a later version. */
	@ParameterizedTest
	@ValueSource(strings = { "", "offer", "offer\nticket", "next\nticket", "forced\nowner", "forced\nowner\n",
			"forced\nowner\n-1", "forced\nowner\n1234567890", "5000\nid", "soon\nid\nowner",
			"1234567890123456\nid\nowner" })
	void whatIsNoMessageIsPassedOver(String text) {
		assertThat(InstanceMessage.parse(text)).isNull();
	}

}
