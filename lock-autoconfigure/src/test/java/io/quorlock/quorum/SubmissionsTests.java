package io.quorlock.quorum;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Submissions}.
 */
class SubmissionsTests {

	private final Submissions submissions = new Submissions();

	private final List<String> sent = new ArrayList<>();

	@Test
	void whatIsAddedDuringASubmissionIsSentBehindIt() {
		this.submissions.add(() -> {
			this.submissions.add(() -> this.sent.add("second"));
			this.submissions.drain();
			this.sent.add("first");
		});
		this.submissions.drain();
		assertThat(this.sent).containsExactly("first", "second");
	}

	@Test
	void submissionThatFailsKeepsNoOtherBack() {
		this.submissions.add(() -> {
			throw new IllegalStateException("a broken driver");
		});
		this.submissions.add(() -> this.sent.add("behind it"));
		assertThatIllegalStateException().isThrownBy(this.submissions::drain).withMessage("a broken driver");
		this.submissions.add(() -> this.sent.add("later"));
		this.submissions.drain();
		assertThat(this.sent).containsExactly("behind it", "later");
	}

	@Test
	void errorOfASubmissionKeepsNoOtherBack() {
		this.submissions.add(() -> {
			throw new StackOverflowError("on purpose");
		});
		this.submissions.add(() -> this.sent.add("behind it"));
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.submissions::drain);
		this.submissions.add(() -> this.sent.add("later"));
		this.submissions.drain();
		assertThat(this.sent).containsExactly("behind it", "later");
	}

}
