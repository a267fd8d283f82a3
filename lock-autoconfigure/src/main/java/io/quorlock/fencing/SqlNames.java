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

package io.quorlock.fencing;

import java.util.regex.Pattern;

import org.springframework.util.Assert;

/** Checks names of tables and columns, which become part of a statement. */
final class SqlNames {

	private static final Pattern NAME = Pattern.compile("[\\p{Alpha}_][\\w$]*(\\.[\\p{Alpha}_][\\w$]*)*");

	private SqlNames() {
	}

	static String check(String name) {
		Assert.isTrue(NAME.matcher(name).matches(), () -> "'" + name + "' is no name of a table or a column");
		return name;
	}

}
