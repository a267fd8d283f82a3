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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaEnumConstant;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

import io.quorlock.Api;
import io.quorlock.PublishedClasses;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keeps the marks of public types: each has one, what is for others refers to nothing
 * that is internal, and the comparison of versions lists the same types.
 */
@AnalyzeClasses(packages = "io.quorlock", importOptions = PublishedClasses.class)
class ApiStatusTests {

	/** Knows no other module, so not the annotation either; all of it is for tests. */
	private static final String EMBEDDED = "io.quorlock.embedded";

	private static final DescribedPredicate<JavaClass> PUBLIC = DescribedPredicate.describe("public top-level types",
			(type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC));

	private static final Pattern RULE = Pattern.compile("\\bR\\d{1,2}\\b");

	private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);

	@ArchTest
	static final ArchRule everyPublicTypeIsMarked = classes().that(PUBLIC)
		.should(new Check("be marked", (type) -> status(type).isPresent()));

	@ArchTest
	static final ArchRule whatIsForOthersRefersToNothingInternal = classes().that(PUBLIC)
		.and(DescribedPredicate.describe("for others", (type) -> !isInternal(type)))
		.should(new Check("have public methods without internal types",
				(type) -> type.getMethods()
					.stream()
					.filter((method) -> method.getModifiers().contains(JavaModifier.PUBLIC))
					.flatMap(ApiStatusTests::typesOf)
					.noneMatch((used) -> used.getPackageName().startsWith("io.quorlock") && isInternal(used))));

	@ArchTest
	static void examplesUseNothingInternal(JavaClasses classes) {
		Set<String> internal = classes.stream()
			.filter(PUBLIC)
			.filter(ApiStatusTests::isInternal)
			.map(JavaClass::getSimpleName)
			.collect(Collectors.toSet());
		assertThat(Documentation.blocks("java")).isNotEmpty()
			.allSatisfy((block) -> assertThat(block.text().split("\\W+")).as(block.toString())
				.doesNotContainAnyElementsOf(internal));
	}

	@ArchTest
	static void comparisonOfVersionsLooksAtThem(JavaClasses classes) throws IOException {
		String pom = Files.readString(Documentation.ROOT.resolve("pom.xml"));
		Set<String> included = Pattern.compile("<include>(io\\.quorlock[\\w.]*)</include>")
			.matcher(pom)
			.results()
			.map((found) -> found.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(included).isEqualTo(names(classes, (type) -> !isInternal(type)));
	}

	@ArchTest
	static void theirJavadocNamesNoRules(JavaClasses classes) throws IOException {
		for (JavaClass type : classes) {
			if (PUBLIC.test(type) && !isInternal(type) && !type.getPackageName().equals(EMBEDDED)) {
				assertThat(JAVADOC.matcher(Files.readString(source(type))).results().map(MatchResult::group))
					.as(type.getName())
					.noneMatch((text) -> RULE.matcher(text).find());
			}
		}
	}

	private static Path source(JavaClass type) {
		String file = "src/main/java/" + type.getName().replace('.', '/') + ".java";
		return Documentation.MODULES.stream()
			.map((module) -> module.resolve(file))
			.filter(Files::exists)
			.findFirst()
			.orElseThrow();
	}

	private static Set<String> names(JavaClasses classes, Predicate<JavaClass> filter) {
		return classes.stream()
			.filter(PUBLIC)
			.filter(filter)
			.map(JavaClass::getName)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Stream<JavaClass> typesOf(JavaMethod method) {
		return Stream.concat(Stream.of(method.getReturnType()), method.getParameterTypes().stream())
			.map(JavaType::getAllInvolvedRawTypes)
			.flatMap(Set::stream);
	}

	private static boolean isInternal(JavaClass type) {
		return is(type, Api.Status.INTERNAL);
	}

	private static boolean is(JavaClass type, Api.Status status) {
		return status(type).filter(status::equals).isPresent();
	}

	/** A nested type has the status of the one around it, unless it says otherwise. */
	private static Optional<Api.Status> status(JavaClass type) {
		if (!type.isAnnotatedWith(Api.class.getName()) && type.getEnclosingClass().isPresent()) {
			return status(type.getEnclosingClass().get());
		}
		if (type.getPackageName().equals(EMBEDDED)) {
			return Optional.of(Api.Status.STABLE);
		}
		return type.tryGetAnnotationOfType(Api.class.getName())
			.flatMap((mark) -> mark.get("value"))
			.or(() -> type.getPackage()
				.tryGetAnnotationOfType(Api.class.getName())
				.flatMap((mark) -> mark.get("value")))
			.map((value) -> Api.Status.valueOf(((JavaEnumConstant) value).name()));
	}

	private static final class Check extends ArchCondition<JavaClass> {

		private final Predicate<JavaClass> check;

		Check(String description, Predicate<JavaClass> check) {
			super(description);
			this.check = check;
		}

		@Override
		public void check(JavaClass type, ConditionEvents events) {
			events.add(new SimpleConditionEvent(type, this.check.test(type), type.getName()));
		}

	}

}
