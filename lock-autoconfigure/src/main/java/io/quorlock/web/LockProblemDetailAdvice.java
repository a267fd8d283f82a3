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

package io.quorlock.web;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockUnavailableException;

/**
 * Renders what a caller can do nothing about but try again as {@link ProblemDetail
 * problem details}: a lock that was not acquired, and a quorum that did not reply. The
 * messages of the exceptions are not part of the response, since they name nodes, owners
 * and keys.
 * <p>
 * It comes after the application's own advice, and leaves exceptions alone of which that
 * of a lock is only the cause: what wraps it has a status of its own.
 *
 * @since 0.1.0
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public class LockProblemDetailAdvice {

	private final Duration retryAfter;

	/**
	 * Create an advice.
	 * @param retryAfter when a client may try again while no quorum replies
	 */
	public LockProblemDetailAdvice(Duration retryAfter) {
		this.retryAfter = retryAfter;
	}

	@ExceptionHandler(LockNotAcquiredException.class)
	ResponseEntity<ProblemDetail> handle(LockNotAcquiredException ex, Exception thrown) throws Exception {
		requireThrown(ex, thrown);
		return problem(HttpStatus.CONFLICT, "Being worked on",
				"Another request is working on the same thing. Try again later.", new HttpHeaders());
	}

	@ExceptionHandler(LockUnavailableException.class)
	ResponseEntity<ProblemDetail> handle(LockUnavailableException ex, Exception thrown) throws Exception {
		requireThrown(ex, thrown);
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, this.retryAfter.toSeconds())));
		// Not that nothing was done: the controller may have come far before it asked.
		return problem(HttpStatus.SERVICE_UNAVAILABLE, "Locks unavailable",
				"A lock that this request needs is not available at the moment. Try again later.", headers);
	}

	/**
	 * Spring looks for the causes of an exception as well. Rethrowing it lets the next
	 * resolver have its turn.
	 */
	private static void requireThrown(Exception ex, Exception thrown) throws Exception {
		boolean carrier = thrown instanceof CompletionException || thrown instanceof ExecutionException;
		if (thrown != ex && !(carrier && thrown.getCause() == ex)) {
			throw thrown;
		}
	}

	private static ResponseEntity<ProblemDetail> problem(HttpStatus status, String title, String detail,
			HttpHeaders headers) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
		problem.setTitle(title);
		return ResponseEntity.status(status).headers(headers).body(problem);
	}

}
