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

package io.quorlock.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.sample.fleet.Fleet;
import io.quorlock.sample.watch.VisitLog;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample with its profile {@code zookeeper}: two instances on one ensemble.
 */
@Tag("long")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:zookeeper")
@ActiveProfiles("zookeeper")
@Timeout(180)
class ZooKeeperTests {

	@Test
	void twoInstancesSellOnOneEnsemble(@LocalServerPort int port, @Autowired Fleet fleet,
			@Autowired EmbeddedZooKeeperEnsemble ensemble, @Autowired VisitLog visits) throws Exception {
		assertThat(fleet.instances()).hasSize(2)
			.allSatisfy((instance) -> assertThat(instance.context().getBean(EmbeddedZooKeeperEnsemble.class))
				.isSameAs(ensemble));
		assertThat(buyers(port, "LOCKED")).isEqualTo(204);
		Awaitility.await()
			.atMost(Duration.ofSeconds(90))
			.untilAsserted(() -> assertThat(visits.endedCount()).isGreaterThan(20));
		assertThat(buyers(port, "NONE")).isEqualTo(204);
		assertThat(visits.overlaps()).isZero();
	}

	private static int buyers(int port, String kind) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/console/buyers"))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("{\"kind\":\"" + kind + "\"}"))
			.build();
		return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
	}

}
