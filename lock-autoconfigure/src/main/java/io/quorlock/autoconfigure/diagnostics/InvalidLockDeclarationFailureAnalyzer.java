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

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.quorlock.aop.declaration.InvalidLockDeclarationException;

/**
 * Describes which annotated method cannot be locked, why, and what to do about it.
 *
 * @since 0.1.0
 */
public class InvalidLockDeclarationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockDeclarationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLockDeclarationException cause) {
		String attribute = (cause.getAttribute() != null)
				? " with %s = \"%s\"".formatted(cause.getAttribute(), cause.getValue()) : "";
		String description = "@%s%s on%n%n    %s%n%ncannot work: %s".formatted(cause.getAnnotation(), attribute,
				cause.getLocation(), cause.getReason());
		return new FailureAnalysis(description, cause.getAction(), cause);
	}

}
