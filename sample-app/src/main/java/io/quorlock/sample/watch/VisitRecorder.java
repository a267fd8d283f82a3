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

package io.quorlock.sample.watch;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockContext;
import io.quorlock.LockException;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.event.LockListener;
import io.quorlock.fencing.StaleFencingTokenException;
import io.quorlock.sample.shop.SoldOutException;
import io.quorlock.sample.watch.Visit.Outcome;

/**
 * Records the visits of one instance: the call outside of the lock, enter and leave
 * inside.
 */
final class VisitRecorder implements LockListener {

	private static final ThreadLocal<Visit> CURRENT = new ThreadLocal<>();

	private final VisitLog log;

	private final String instance;

	VisitRecorder(VisitLog log, String instance) {
		this.log = log;
		this.instance = instance;
	}

	@Nullable Object outside(MethodInvocation call) throws Throwable {
		Visit visit = this.log.called(this.instance, String.valueOf(call.getArguments()[0]),
				String.valueOf(call.getArguments()[1]));
		CURRENT.set(visit);
		Outcome outcome = Outcome.FAILED;
		try {
			Object order = call.proceed();
			outcome = Outcome.SOLD;
			return order;
		}
		catch (Throwable ex) {
			outcome = outcomeOf(ex);
			throw ex;
		}
		finally {
			CURRENT.remove();
			this.log.ended(visit, outcome);
		}
	}

	@Nullable Object inside(MethodInvocation call) throws Throwable {
		Visit visit = CURRENT.get();
		this.log.entered(visit, LockContext.current().orElse(null));
		try {
			return call.proceed();
		}
		finally {
			visit.leave();
		}
	}

	@Override
	public void onRenewed(LockRequest request, boolean success) {
		if (success) {
			this.log.renewed(this.instance, request.names());
		}
	}

	private static Outcome outcomeOf(Throwable ex) {
		if (ex instanceof SoldOutException) {
			return Outcome.SOLD_OUT;
		}
		if (ex instanceof LockNotAcquiredException || ex instanceof LockInterruptedException) {
			return Outcome.NOT_ACQUIRED;
		}
		if (ex instanceof LockUnavailableException) {
			return Outcome.UNAVAILABLE;
		}
		if (ex instanceof StaleFencingTokenException) {
			return Outcome.REFUSED;
		}
		return (ex instanceof LockException) ? Outcome.LOST : Outcome.FAILED;
	}

}
