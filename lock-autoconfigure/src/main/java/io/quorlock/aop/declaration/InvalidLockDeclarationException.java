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

package io.quorlock.aop.declaration;

import java.io.Serial;
import java.lang.annotation.Annotation;

import org.jspecify.annotations.Nullable;

import io.quorlock.annotation.DistributedLock;

/**
 * Thrown at startup when a {@link DistributedLock @DistributedLock}, or another
 * annotation of this library, cannot work as declared.
 *
 * @since 0.1.0
 */
public class InvalidLockDeclarationException extends IllegalStateException {

	@Serial
	private static final long serialVersionUID = 1L;

	/** The simple name of the annotation. */
	private final String annotation;

	/** Where the declaration is. */
	private final String location;

	/** The attribute that cannot work. */
	private final @Nullable String attribute;

	/** The value of the attribute. */
	private final @Nullable String value;

	/** Why it cannot work. */
	private final String reason;

	/** What to do about it. */
	private final String action;

	/**
	 * Create the exception.
	 * @param annotation the annotation that cannot work
	 * @param location the annotated method or class
	 * @param attribute the annotation's attribute that is wrong, or {@code null} if the
	 * method itself is
	 * @param value the attribute's value as written
	 * @param reason what is wrong, to stand after a colon
	 * @param action what to do about it, a sentence
	 * @param cause why, or {@code null}
	 */
	public InvalidLockDeclarationException(Class<? extends Annotation> annotation, String location,
			@Nullable String attribute, @Nullable String value, String reason, String action,
			@Nullable Throwable cause) {
		super("Invalid @%s on %s%s: %s".formatted(annotation.getSimpleName(), location,
				(attribute != null) ? ", %s = \"%s\"".formatted(attribute, value) : "", reason), cause);
		this.annotation = annotation.getSimpleName();
		this.location = location;
		this.attribute = attribute;
		this.value = value;
		this.reason = reason;
		this.action = action;
	}

	/**
	 * Return the annotation that cannot work.
	 * @return its simple name
	 */
	public String getAnnotation() {
		return this.annotation;
	}

	/**
	 * Return the annotated method, with its class and parameter types, or the annotated
	 * class.
	 * @return the location
	 */
	public String getLocation() {
		return this.location;
	}

	/**
	 * Return the attribute that is wrong.
	 * @return its name, or {@code null} if the method itself cannot be locked
	 */
	public @Nullable String getAttribute() {
		return this.attribute;
	}

	/**
	 * Return the value of that attribute, as written.
	 * @return the value, or {@code null} if the method itself cannot be locked
	 */
	public @Nullable String getValue() {
		return this.value;
	}

	/**
	 * Return what is wrong.
	 * @return the reason
	 */
	public String getReason() {
		return this.reason;
	}

	/**
	 * Return what to do about it.
	 * @return the remedy, a sentence
	 */
	public String getAction() {
		return this.action;
	}

}
