package io.quorlock.autoconfigure;

import org.springframework.context.ApplicationEventPublisher;

import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;

/**
 * Publishes every {@link LockLostEvent} as an application event.
 */
class LockLostEventPublisher implements LockListener {

	private final ApplicationEventPublisher publisher;

	LockLostEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void onLost(LockRequest request, LockLostEvent event) {
		this.publisher.publishEvent(event);
	}

}
