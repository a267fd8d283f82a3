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

package io.quorlock.autoconfigure.web;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.junit.jupiter.web.SpringJUnitWebConfig;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.test.AutoConfigureTestLocks;
import io.quorlock.test.LockSimulator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockProblemDetailAutoConfiguration} in a test of a part of the
 * application, with the locks of a test.
 */
@SpringJUnitWebConfig
@AutoConfigureTestLocks
class LockProblemDetailSliceTests {

	private final LockSimulator locks;

	private final MockMvcTester mvc;

	LockProblemDetailSliceTests(@Autowired LockSimulator locks, @Autowired WebApplicationContext context) {
		this.locks = locks;
		this.mvc = MockMvcTester.from(context);
	}

	@Test
	void responsesAreThoseOfTheApplication() {
		assertThat(this.mvc.post().uri("/order")).hasStatus(200);
		this.locks.heldElsewhere("order");
		assertThat(this.mvc.post().uri("/order")).hasStatus(409);
		this.locks.unavailable();
		assertThat(this.mvc.post().uri("/order")).hasStatus(503);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebMvc
	@Import(Orders.class)
	static class WebConfiguration {

	}

	@RestController
	static class Orders {

		private final LockTemplate lockTemplate;

		Orders(LockTemplate lockTemplate) {
			this.lockTemplate = lockTemplate;
		}

		@PostMapping("/order")
		void place() {
			this.lockTemplate.acquire(LockRequest.of("order").waitTime(Duration.ZERO)).close();
		}

	}

}
