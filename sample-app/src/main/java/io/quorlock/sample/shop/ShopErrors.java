package io.quorlock.sample.shop;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.quorlock.LockException;
import io.quorlock.LockKeyException;

/**
 * Maps exceptions to problem details. A lock that was not acquired means "try again", not
 * "sold out".
 */
@RestControllerAdvice
class ShopErrors {

	@ExceptionHandler(SoldOutException.class)
	ProblemDetail soldOut(SoldOutException ex) {
		return problem(HttpStatus.CONFLICT, ex);
	}

	@ExceptionHandler(UnknownArticleException.class)
	ProblemDetail unknown(UnknownArticleException ex) {
		return problem(HttpStatus.NOT_FOUND, ex);
	}

	@ExceptionHandler(LockKeyException.class)
	ProblemDetail badKey(LockKeyException ex) {
		return problem(HttpStatus.BAD_REQUEST, ex);
	}

	@ExceptionHandler(LockException.class)
	ResponseEntity<ProblemDetail> locked(LockException ex) {
		return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
			.header(HttpHeaders.RETRY_AFTER, "1")
			.body(problem(HttpStatus.SERVICE_UNAVAILABLE, ex));
	}

	private static ProblemDetail problem(HttpStatus status, RuntimeException ex) {
		return ProblemDetail.forStatusAndDetail(status, String.valueOf(ex.getMessage()));
	}

}
