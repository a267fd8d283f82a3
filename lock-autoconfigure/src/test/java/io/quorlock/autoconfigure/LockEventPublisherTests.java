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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationNotAllowedException;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.autoconfigure.LockEngineConfiguration.LockEventPublisher;
import io.quorlock.engine.event.LockListener.Event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link LockEventPublisher}.
 */
class LockEventPublisherTests {

	private final List<Object> published = new ArrayList<>();

	private final LockEventPublisher publisher = new LockEventPublisher(this.published::add);

	@Test
	void risksAndLossesArePublished() {
		assertThat(this.publisher.events()).containsExactlyInAnyOrder(Event.AT_RISK, Event.LOST);
		LockRequest order = LockRequest.of("order");
		LockAtRiskEvent risk = new LockAtRiskEvent(order.names(), "app", true, Duration.ZERO, Duration.ZERO, List.of(),
				"test");
		LockLostEvent loss = new LockLostEvent(order.names(), "app", Duration.ZERO, "test");
		this.publisher.onAtRisk(order, risk);
		this.publisher.onLost(order, loss);
		assertThat(this.published).containsExactly(risk, loss);
	}

	/**
	 * A bean held the lock when the start failed: that is logged once, with its cause.
	 */
	@Test
	void lossIsNoFailureWhileTheContextIsDestroyed() {
		assertThatNoException()
			.isThrownBy(() -> lose(new BeanCreationNotAllowedException("listener", "the context is destroyed")));
	}

	@Test
	void failureOfAListenerIsOne() {
		IllegalStateException failure = new IllegalStateException("broken");
		assertThatIllegalStateException().isThrownBy(() -> lose(failure)).isSameAs(failure);
	}

	private static void lose(RuntimeException failure) {
		LockRequest order = LockRequest.of("order");
		new LockEventPublisher((event) -> {
			throw failure;
		}).onLost(order, new LockLostEvent(order.names(), "app", Duration.ZERO, "the engine was stopped"));
	}

}
