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

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.quorlock.LockKeyException;

/**
 * Maps the shop's own exceptions to problem details. Those of locks are left to the
 * library: its responses name no holder and no node, and let clients try again only where
 * that cannot store an order twice.
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

	/** The key is the article's name, as the client wrote it. */
	@ExceptionHandler(LockKeyException.class)
	ProblemDetail badKey(LockKeyException ex) {
		return problem(HttpStatus.BAD_REQUEST, ex);
	}

	private static ProblemDetail problem(HttpStatus status, RuntimeException ex) {
		return ProblemDetail.forStatusAndDetail(status, String.valueOf(ex.getMessage()));
	}

}
