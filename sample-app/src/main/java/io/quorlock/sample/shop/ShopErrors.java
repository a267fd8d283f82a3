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
