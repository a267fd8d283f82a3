package io.quorlock.web;

import java.time.Duration;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockUnavailableException;

/**
 * Renders exceptions of locks as {@link ProblemDetail problem details}. The messages of
 * the exceptions are not part of the response, since they name nodes, owners and keys.
 *
 * @since 0.1.0
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE - 100)
public class LockProblemDetailAdvice {

	private final Duration retryAfter;

	/**
	 * Create an advice.
	 * @param retryAfter when a client may try again while no quorum replies
	 */
	public LockProblemDetailAdvice(Duration retryAfter) {
		this.retryAfter = retryAfter;
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> handle(LockNotAcquiredException ex) {
		return problem(HttpStatus.CONFLICT, "Being worked on",
				"Another request is working on the same thing. Try again later.", new HttpHeaders());
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> handle(LockUnavailableException ex) {
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, this.retryAfter.toSeconds())));
		return problem(HttpStatus.SERVICE_UNAVAILABLE, "Locks unavailable", "Nothing was done. Try again later.",
				headers);
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> handle(LockLostException ex) {
		return problem(HttpStatus.INTERNAL_SERVER_ERROR, "Lock lost",
				"The lock ended before the work did. Look at what was done before trying again.", new HttpHeaders());
	}

	private static ResponseEntity<ProblemDetail> problem(HttpStatus status, String title, String detail,
			HttpHeaders headers) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
		problem.setTitle(title);
		return ResponseEntity.status(status).headers(headers).body(problem);
	}

}
