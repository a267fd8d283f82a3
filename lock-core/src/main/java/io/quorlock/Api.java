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

package io.quorlock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * For whom a public type or method is meant, and for how long it keeps its shape. On a
 * package, it holds for all types of the package that say nothing else.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ ElementType.TYPE, ElementType.METHOD, ElementType.PACKAGE })
@Api(Api.Status.INTERNAL)
public @interface Api {

	/**
	 * Return for whom it is meant.
	 * @return the status
	 */
	Status value();

	/**
	 * For whom a type is meant.
	 */
	enum Status {

		/**
		 * For applications. Keeps its shape within a minor version, and from 1.0 on
		 * within a major one.
		 */
		STABLE,

		/**
		 * For extensions that bring their own templates, interceptors, listeners or
		 * nodes. Keeps its shape as stable types do, but interfaces that extensions
		 * implement may get methods with a minor version.
		 */
		EXTENSION,

		/**
		 * For Quorlock itself, and public only since its packages use each other. May
		 * change at any time.
		 */
		INTERNAL

	}

}
