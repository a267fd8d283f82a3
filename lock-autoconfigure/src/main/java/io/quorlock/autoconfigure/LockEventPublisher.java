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

import java.util.EnumSet;
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.context.ApplicationEventPublisher;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;

/**
 * Publishes every {@link LockLostEvent} and {@link LockAtRiskEvent} as an application
 * event.
 */
class LockEventPublisher implements LockListener {

	private static final Log logger = LogFactory.getLog(LockEventPublisher.class);

	private final ApplicationEventPublisher publisher;

	LockEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public Set<Event> events() {
		return EnumSet.of(Event.AT_RISK, Event.LOST);
	}

	@Override
	public void onAtRisk(LockRequest request, LockAtRiskEvent event) {
		publish(event);
	}

	@Override
	public void onLost(LockRequest request, LockLostEvent event) {
		publish(event);
	}

	private void publish(Object event) {
		try {
			this.publisher.publishEvent(event);
		}
		catch (BeanCreationNotAllowedException ex) {
			// Such as that of a context whose start failed: the cause is logged already.
			logger.debug("Not all listeners received " + event + ": the context is being destroyed", ex);
		}
	}

}
