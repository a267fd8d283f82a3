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

package io.quorlock.quorum.membership;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.quorlock.quorum.membership.Membership.Agreement;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which layouts of other instances are safe beside ours (R23).
 */
class LayoutTextTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			of a,b by name                          | of a,b by name                          | true
			of a,b by name                          | of a,b by name version 1                | true
			of a,b by name                          | of a,b by name version 3                | true
			of a,b by name                          | of a,b,c by name version 1              | false
			of a,b by name                          | of a,b,c by name version 2 from a,b     | false
			of a,b by name version 1                | of a,b by prefix version 1              | false
			of a,b by name version 1                | of a,b,c by name version 1              | false
			of a,b by name version 1                | of a,b,c by name version 2 from a,b     | true
			of a,b by name version 1                | of a,b,c by name version 2 from a       | false
			of a,b by name version 1                | of a,b,c by name version 3 from a,b     | true
			of a,b by name version 1                | of a,b,c by name version 3              | false
			of a,b,c by name version 2 from a,b     | of a,b,c by name version 3 from a,b     | true
			of a,b,c by name version 2 from a,b     | of a,b,c by name version 3 from a       | false
			of a,b,c by name version 2 from a,b     | of a,b,c by name version 3              | true
			of a,b,c by name version 2 from a,b     | of a,c by name version 3                | false
			of a,b,c by name version 3 from a,b     | of a,b,c by name version 3              | true
			of a,b,c by name version 3              | of a,b by name version 4 from a,b,c     | true
			of a,b,c by name version 2 from a,b     | of a,b by name version 4 from a,b,c     | true
			of a,b,c by name version 2 from a,b     | of a,b by name version 4 from a,b       | false
			of a,b,c by name version 2 from a,b     | of a,b by name version 5 from a,b,c     | true
			of a,b by name version 1                | of a,b by name version 4 from a,b,c     | false
			of a,b by name version 1                | of a,b by name version 5                | false
			""")
	void layoutsAgreeIfOneFollowsTheOther(String one, String other, boolean agree) {
		assertThat(compare(one, other)).isEqualTo(compare(other, one));
		boolean same = one.equals(other);
		assertThat(compare(one, other))
			.isEqualTo(same ? Agreement.SAME : agree ? Agreement.OTHER_VERSION : Agreement.DIFFERENT);
	}

	@Test
	void movesChangeNoNodeOfAGroup() {
		Membership ours = membership(List.of("n1", "n2", "n3"), "group a of a by name version 1");
		assertThat(ours.compare("n1,n2,n3;group a of a,b by name version 2 from a")).isEqualTo(Agreement.OTHER_VERSION);
		assertThat(ours.compare("n1,n2,n4;group a of a,b by name version 2 from a")).isEqualTo(Agreement.DIFFERENT);
		assertThat(ours.compare("n1,n2,n3;group b of a,b by name version 2 from a")).isEqualTo(Agreement.DIFFERENT);
		assertThat(ours.compare("n1,n2,n3;nonsense")).isEqualTo(Agreement.DIFFERENT);
		assertThat(ours.compare("n1,n2,n3")).isEqualTo(Agreement.DIFFERENT);
	}

	@Test
	void layoutThatTheNodeRefusesIsNoDanger() {
		Membership ours = membership(List.of("n1"), "group a of a,b by name version 3");
		String forgotten = "n1;group a of a by name version 1";
		assertThat(ours.compare(forgotten, 1)).isEqualTo(Agreement.DIFFERENT);
		assertThat(ours.compare(forgotten, 2)).isEqualTo(Agreement.OTHER_VERSION);
		assertThat(ours.compare("n1;group a of a by name", 2)).isEqualTo(Agreement.DIFFERENT);
	}

	private static Agreement compare(String ours, String theirs) {
		return membership(List.of("n1"), "group a " + ours).compare("n1;group a " + theirs);
	}

	private static Membership membership(List<String> nodes, String layout) {
		return new Membership(nodes, new Layout(layout, 1, 0, Duration.ZERO));
	}

}
