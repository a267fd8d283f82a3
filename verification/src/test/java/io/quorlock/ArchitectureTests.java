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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

import io.quorlock.quorum.QuorumSettings;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * Keeps the table of packages and what each of them may use.
 */
@AnalyzeClasses(packages = "io.quorlock", importOptions = PublishedClasses.class)
class ArchitectureTests {

	private static final String ROOT = "io.quorlock";

	private static final String ANNOTATION = "io.quorlock.annotation";

	private static final String AOP = "io.quorlock.aop";

	private static final String DECLARATION = "io.quorlock.aop.declaration";

	private static final String INVOCATION = "io.quorlock.aop.invocation";

	private static final String TRANSACTION = "io.quorlock.transaction";

	private static final String SPI = "io.quorlock.spi";

	private static final String REACTIVE = "io.quorlock.reactive";

	private static final String ENGINE = "io.quorlock.engine";

	private static final String ENGINE_EVENT = "io.quorlock.engine.event";

	private static final String ENGINE_INSPECT = "io.quorlock.engine.inspect";

	private static final String STORE = "io.quorlock.store";

	private static final String TIME = "io.quorlock.time";

	private static final String QUORUM = "io.quorlock.quorum";

	private static final String GROUPS = "io.quorlock.groups";

	private static final String NODE = "io.quorlock.quorum.node";

	private static final String MEMBERSHIP = "io.quorlock.quorum.membership";

	private static final String LEADER = "io.quorlock.leader";

	private static final String LOGGING = "org.apache.commons.logging..";

	private static final String[] SPRING = { "org.springframework.core..", "org.springframework.beans..",
			"org.springframework.context..", "org.springframework.util..", "org.springframework.lang..",
			"org.springframework.scheduling..", LOGGING };

	private static final String[] AOP_LIBRARIES = and(SPRING, "org.springframework.aop..", "org.aopalliance..",
			"org.springframework.transaction..", "kotlin..", "kotlinx..");

	@ArchTest
	static final ArchRule publicApi = only(ROOT);

	@ArchTest
	static final ArchRule spi = only(SPI, ROOT);

	@ArchTest
	static final ArchRule annotation = only(ANNOTATION, ROOT, "org.springframework.core.annotation");

	@ArchTest
	static final ArchRule engine = only(ENGINE, ROOT, SPI, ENGINE_EVENT, ENGINE_INSPECT, STORE, TIME, LOGGING);

	@ArchTest
	static final ArchRule time = only(TIME, ROOT, LOGGING);

	@ArchTest
	static final ArchRule store = only(STORE, ROOT);

	@ArchTest
	static final ArchRule groups = only(GROUPS, ROOT, STORE);

	@ArchTest
	static final ArchRule noCyclesBetweenClassesOfTheGroups = noCyclesInside(GROUPS);

	@ArchTest
	static final ArchRule quorum = only(QUORUM, ROOT, STORE, TIME, NODE, LOGGING);

	@ArchTest
	static final ArchRule noCyclesBetweenClassesOfTheQuorum = noCyclesInside(QUORUM);

	/** Or a schedule of the simulation could not be replayed (R16). */
	@ArchTest
	static final ArchRule timeAndChanceComeFromOutside = noClasses().that()
		.resideInAnyPackage(ENGINE, QUORUM)
		.and()
		.doNotBelongToAnyOf(QuorumSettings.class)
		.should()
		.callMethod(System.class, "nanoTime")
		.orShould()
		.callMethod(System.class, "currentTimeMillis")
		.orShould()
		.dependOnClassesThat()
		.areAssignableTo(Random.class);

	@ArchTest
	static final ArchRule node = only(NODE, ROOT);

	@ArchTest
	static final ArchRule membership = only(MEMBERSHIP, ROOT, NODE);

	@ArchTest
	static final ArchRule redis = only("io.quorlock.redis", ROOT, STORE, TIME, NODE, MEMBERSHIP, LOGGING);

	@ArchTest
	static final ArchRule jedis = only("io.quorlock.redis.client", ROOT, STORE, TIME, NODE, MEMBERSHIP,
			"io.quorlock.redis", "redis.clients.jedis..", LOGGING);

	@ArchTest
	static final ArchRule springDataRedis = only("io.quorlock.redis.spring",
			and(SPRING, ROOT, SPI, TIME, NODE, MEMBERSHIP, "io.quorlock.redis", "io.quorlock.redis.client",
					"org.springframework.dao..", "org.springframework.data.redis..", "io.lettuce..",
					"redis.clients.jedis..", "org.apache.commons.pool2.."));

	@ArchTest
	static final ArchRule zooKeeper = only("io.quorlock.zookeeper", ROOT, STORE, TIME, LOGGING,
			"org.apache.zookeeper..");

	@ArchTest
	static final ArchRule zooKeeperWithoutCycles = noCyclesInside("io.quorlock.zookeeper");

	@ArchTest
	static final ArchRule memory = only("io.quorlock.memory", ROOT, STORE, TIME);

	@ArchTest
	static final ArchRule fencing = only("io.quorlock.fencing",
			and(SPRING, ROOT, "org.springframework.jdbc..", "org.springframework.dao..",
					"org.springframework.transaction..", "org.springframework.data.redis..", "redis.clients.jedis..",
					"javax.sql.."))
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule aop = only(AOP, and(AOP_LIBRARIES, ROOT, SPI, ANNOTATION, DECLARATION, INVOCATION));

	@ArchTest
	static final ArchRule declaration = only(DECLARATION, and(AOP_LIBRARIES, ROOT, ANNOTATION,
			"org.springframework.expression..", "org.springframework.format..", "org.springframework.asm.."));

	@ArchTest
	static final ArchRule invocation = only(INVOCATION, and(AOP_LIBRARIES, ROOT, SPI, ANNOTATION, DECLARATION,
			TRANSACTION, REACTIVE, "reactor..", "org.reactivestreams..", "io.micrometer.context.."));

	@ArchTest
	static final ArchRule transaction = only(TRANSACTION,
			and(SPRING, ROOT, SPI, "org.springframework.transaction..", "reactor.."));

	@ArchTest
	static final ArchRule reactive = only(REACTIVE, ROOT, "reactor..", "io.micrometer.context..");

	@ArchTest
	static final ArchRule metrics = only("io.quorlock.metrics",
			and(SPRING, ROOT, LEADER, ENGINE, ENGINE_EVENT, STORE, NODE, MEMBERSHIP, "io.micrometer.."))
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule health = only("io.quorlock.health", and(SPRING, ROOT, LEADER, ENGINE, ENGINE_EVENT, STORE,
			NODE, MEMBERSHIP, "org.springframework.boot.health.."))
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule actuate = only("io.quorlock.actuate",
			and(SPRING, ROOT, ENGINE, ENGINE_INSPECT, STORE, NODE, MEMBERSHIP, "org.springframework.boot.actuate..",
					"org.springframework.web", "org.springframework.web.util",
					"org.springframework.web.context.request..", "jakarta.servlet.."))
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule leader = only(LEADER, and(SPRING, ROOT, SPI, ANNOTATION, AOP, DECLARATION, INVOCATION,
			"org.springframework.aop..", "org.aopalliance.."));

	@ArchTest
	static final ArchRule integration = only("io.quorlock.integration", ROOT, SPI, "org.springframework.integration..");

	@ArchTest
	static final ArchRule shedlock = only("io.quorlock.shedlock", ROOT, "net.javacrumbs.shedlock..");

	@ArchTest
	static final ArchRule embedded = only("io.quorlock.embedded", "org.signal..", "redis.embedded..", "redis.clients..",
			"org.apache.zookeeper..");

	@ArchTest
	static final ArchRule nothingKnowsItsAutoConfiguration = noClasses().that()
		.resideOutsideOfPackages("io.quorlock.autoconfigure..", "io.quorlock.test..", "io.quorlock.testcontainers..",
				"io.quorlock.docker..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.quorlock.autoconfigure..");

	@ArchTest
	static final ArchRule nothingKnowsTestSupport = noClasses().that()
		.resideOutsideOfPackages("io.quorlock.test..", "io.quorlock.testcontainers..", "io.quorlock.docker..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.quorlock.test..", "io.quorlock.testcontainers..", "io.quorlock.docker..");

	@ArchTest
	static final ArchRule noCycles = slices().matching("io.quorlock.(**)").should().beFreeOfCycles();

	/** Slices are classes together with those that are nested in them. */
	private static ArchRule noCyclesInside(String itsPackage) {
		return slices().assignedFrom(new SliceAssignment() {

			@Override
			public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
				if (!javaClass.getPackageName().equals(itsPackage)) {
					return SliceIdentifier.ignore();
				}
				String name = javaClass.getName();
				return SliceIdentifier.of((name.indexOf('$') > 0) ? name.substring(0, name.indexOf('$')) : name);
			}

			@Override
			public String getDescription() {
				return "classes of " + itsPackage;
			}

		}).should().beFreeOfCycles();
	}

	private static ArchRule only(String itsPackage, String... others) {
		List<String> allowed = new ArrayList<>(List.of(others));
		allowed.addAll(List.of(itsPackage, "java..", "javax.net..", "org.jspecify.annotations"));
		return classes().that()
			.resideInAPackage(itsPackage)
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(allowed.toArray(String[]::new));
	}

	private static String[] and(String[] some, String... others) {
		List<String> all = new ArrayList<>(List.of(some));
		all.addAll(List.of(others));
		return all.toArray(String[]::new);
	}

}
