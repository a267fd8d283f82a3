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

package io.quorlock.autoconfigure;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at startup if a property under {@code distributed-lock} has an invalid value.
 *
 * @since 0.1.0
 */
public class InvalidLockConfigurationException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	/** The name of the property. */
	private final String property;

	/** The value of the property. */
	private final @Nullable String value;

	/** Why it cannot work. */
	private final String reason;

	/** What to do about it. */
	private final String action;

	/**
	 * Create the exception.
	 * @param property the full name of the property
	 * @param value its value, without secrets; {@code null} if there is none
	 * @param reason why the value is invalid; follows the name and the value
	 * @param action what to do about it
	 */
	public InvalidLockConfigurationException(String property, @Nullable String value, String reason, String action) {
		super("Invalid configuration property '" + property + "'"
				+ ((value != null) ? " with value '" + value + "'" : "") + ": " + reason);
		this.property = property;
		this.value = value;
		this.reason = reason;
		this.action = action;
	}

	/**
	 * Check the value of a property.
	 * @param valid whether it can be used
	 * @param property the name of the property
	 * @param value its value, {@code null} if it is not set
	 * @param reason what is wrong otherwise, to stand after a colon
	 * @param action what to do about it, a sentence
	 * @throws InvalidLockConfigurationException if it cannot be used
	 */
	public static void require(boolean valid, String property, @Nullable String value, String reason, String action) {
		if (!valid) {
			throw new InvalidLockConfigurationException(property, value, reason, action);
		}
	}

	/**
	 * Return the full name of the property.
	 * @return the name
	 */
	public String getProperty() {
		return this.property;
	}

	/**
	 * Return the invalid value, without secrets.
	 * @return the value, or {@code null} if there is none
	 */
	public @Nullable String getValue() {
		return this.value;
	}

	/**
	 * Return why the value is invalid.
	 * @return the reason
	 */
	public String getReason() {
		return this.reason;
	}

	/**
	 * Return what to do about it.
	 * @return the action
	 */
	public String getAction() {
		return this.action;
	}

}
