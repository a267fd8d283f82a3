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

package io.quorlock.autoconfigure.diagnostics;

import java.io.Serial;

/**
 * Thrown at startup on a version of Spring Boot that is not supported.
 */
class UnsupportedSpringBootVersionException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	UnsupportedSpringBootVersionException(String version) {
		super("Quorlock needs Spring Boot 4.1 or later, but the application runs on Spring Boot " + version);
	}

}
