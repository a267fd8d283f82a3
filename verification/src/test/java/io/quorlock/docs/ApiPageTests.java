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

package io.quorlock.docs;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code docs/api.md} names all methods of the types that applications use
 * most.
 *
 * @see ApiStatusTests
 */
class ApiPageTests {

	private static final Pattern CODE = Pattern.compile("`((?:[a-z]+\\.)*)(\\w+)`");

	/** Methods that need no description. */
	private static final Set<String> INTERNAL = Set.of("toString");

	@ParameterizedTest
	@ValueSource(classes = { LockTemplate.class, LockRequest.class, LockHandle.class, LockContext.class })
	void everyMethodIsNamed(Class<?> type) {
		String page = Documentation.read(Documentation.ROOT.resolve("docs/api.md"));
		for (Method method : type.getDeclaredMethods()) {
			boolean part = Modifier.isPublic(method.getModifiers()) && !method.isSynthetic();
			boolean internal = INTERNAL.contains(method.getName());
			// What a request was built with can be read: one method for each that builds.
			boolean reads = type == LockRequest.class && method.getReturnType() != LockRequest.class;
			if (part && !internal && !reads) {
				assertThat(page).as("%s of %s", method.getName(), type)
					.containsPattern("`" + method.getName() + "[`(]");
			}
		}
	}

	/**
	 * The types in the tables behind a heading. A name without a package is of the
	 * package that was named before it in its row.
	 */
	static Set<String> typesOf(String heading) {
		Set<String> named = new TreeSet<>();
		Documentation.read(Documentation.ROOT.resolve("docs/api.md"))
			.lines()
			.dropWhile((line) -> !line.equals(heading))
			.skip(1)
			.takeWhile((line) -> !line.startsWith("## "))
			.filter((line) -> line.startsWith("| `io.quorlock"))
			.forEach((line) -> {
				String packageName = "";
				for (MatchResult code : CODE.matcher(line).results().toList()) {
					String name = code.group(2);
					if (Character.isLowerCase(name.charAt(0))) {
						packageName = code.group(1) + name + ".";
						continue;
					}
					packageName = code.group(1).isEmpty() ? packageName : code.group(1);
					named.add(packageName + name);
				}
			});
		return named;
	}

}
