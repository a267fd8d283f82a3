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

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

import io.quorlock.autoconfigure.InvalidLockConfigurationException;

/**
 * Describes which property has an invalid value, where it was set, and what to do about
 * it.
 *
 * @since 0.1.0
 */
public class InvalidLockConfigurationFailureAnalyzer
		extends AbstractFailureAnalyzer<InvalidLockConfigurationException> {

	private final Environment environment;

	/**
	 * Create the analyzer.
	 * @param environment knows where properties were set
	 */
	public InvalidLockConfigurationFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidLockConfigurationException cause) {
		StringBuilder description = new StringBuilder("Configuration property '%s'".formatted(cause.getProperty()));
		description
			.append((cause.getValue() != null) ? " has the value '%s'".formatted(cause.getValue()) : " is not set");
		// The id of a group may have letters that a canonical name has not.
		ConfigurationPropertyName name = ConfigurationPropertyName.ofIfValid(cause.getProperty());
		Origin origin = (name != null) ? originOf(name) : null;
		if (origin != null) {
			description.append(" (from ").append(origin).append(')');
		}
		description.append(":%n%n    %s".formatted(cause.getReason()));
		return new FailureAnalysis(description.toString(), cause.getAction(), cause);
	}

	private @Nullable Origin originOf(ConfigurationPropertyName name) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			ConfigurationProperty found = source.getConfigurationProperty(name);
			if (found != null) {
				return found.getOrigin();
			}
		}
		// A list may have been given as one comma-separated value.
		return name.isLastElementIndexed() ? originOf(name.getParent()) : null;
	}

}
