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

package io.quorlock.quorum;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link RenewalSchedule.Submissions}.
 */
class SubmissionsTests {

	private final RenewalSchedule.Submissions submissions = new RenewalSchedule.Submissions();

	private final List<String> sent = new ArrayList<>();

	@Test
	void whatIsAddedDuringASubmissionIsSentBehindIt() {
		this.submissions.addSubmission(() -> {
			this.submissions.addSubmission(() -> this.sent.add("second"));
			this.submissions.drainSubmissions();
			this.sent.add("first");
		});
		this.submissions.drainSubmissions();
		assertThat(this.sent).containsExactly("first", "second");
	}

	@Test
	void submissionThatFailsKeepsNoOtherBack() {
		this.submissions.addSubmission(() -> {
			throw new IllegalStateException("a broken driver");
		});
		this.submissions.addSubmission(() -> this.sent.add("behind it"));
		assertThatIllegalStateException().isThrownBy(this.submissions::drainSubmissions).withMessage("a broken driver");
		this.submissions.addSubmission(() -> this.sent.add("later"));
		this.submissions.drainSubmissions();
		assertThat(this.sent).containsExactly("behind it", "later");
	}

	@Test
	void errorOfASubmissionKeepsNoOtherBack() {
		this.submissions.addSubmission(() -> {
			throw new StackOverflowError("on purpose");
		});
		this.submissions.addSubmission(() -> this.sent.add("behind it"));
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.submissions::drainSubmissions);
		this.submissions.addSubmission(() -> this.sent.add("later"));
		this.submissions.drainSubmissions();
		assertThat(this.sent).containsExactly("behind it", "later");
	}

}
