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

package io.quorlock.actuate;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * The path of the servlet request that is being handled. Actuator drops empty segments
 * and path parameters before an operation sees them, so that {@code //a} and
 * {@code a;b=c} would both act on {@code a}.
 */
final class RequestPath {

	private RequestPath() {
	}

	/**
	 * Check that the path has no part that Actuator drops.
	 * @throws InvalidEndpointRequestException if a segment is empty or has parameters
	 */
	static void requireUnambiguous() {
		RequestAttributes attributes = RequestContextHolder.getRequestAttributes();
		if (!(attributes instanceof ServletRequestAttributes servlet)) {
			return;
		}
		HttpServletRequest request = servlet.getRequest();
		String path = request.getRequestURI();
		if (path.contains("//") || path.contains(";") || path.endsWith("/")) {
			throw new InvalidEndpointRequestException("The path has an empty segment or path parameters",
					"Empty segments and path parameters are not part of the name of a lock. Encode them.");
		}
	}

}
