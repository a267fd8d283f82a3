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

package io.quorlock.logging;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Captures the log of each test, and passes it to parameters of type {@link CapturedLog}.
 * The modules without Spring have no {@code OutputCaptureExtension}.
 */
public final class LogCaptureExtension implements BeforeEachCallback, ParameterResolver {

	private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace
		.create(LogCaptureExtension.class);

	@Override
	public void beforeEach(ExtensionContext context) {
		log(context);
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == CapturedLog.class;
	}

	@Override
	public CapturedLog resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return log(context);
	}

	// The store closes it at the end of the test.
	private static CapturedLog log(ExtensionContext context) {
		return context.getStore(NAMESPACE)
			.computeIfAbsent(CapturedLog.class, (key) -> new CapturedLog(), CapturedLog.class);
	}

}
