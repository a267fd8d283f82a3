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

package io.quorlock.system;

import java.util.List;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.quorlock.LockContext;

/**
 * A thread that makes one of its {@link RandomUses} after the other, is interrupted now
 * and then, and checks what each leaves on the thread.
 */
final class RandomCaller implements Runnable {

	private final Occupation occupation;

	private final RandomUses uses;

	private final Thread thread;

	private final boolean interrupts;

	private final Object gate = new Object();

	private boolean interruptible;

	private boolean interrupted;

	private volatile boolean stopped;

	RandomCaller(Occupation occupation, List<SequenceInstance> instances, long seed, String name, boolean interrupts) {
		this.occupation = occupation;
		this.uses = new RandomUses(occupation, instances, seed, name, interrupts);
		this.thread = new Thread(this, name);
		this.interrupts = interrupts;
	}

	void start() {
		this.thread.start();
	}

	/** Interrupt what it calls just now. */
	void interrupt() {
		synchronized (this.gate) {
			if (this.interruptible) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		}
	}

	void stop() {
		this.stopped = true;
	}

	void join() throws InterruptedException {
		this.thread.join(2 * RandomUses.PATIENCE.toMillis());
		if (this.thread.isAlive()) {
			StringBuilder stack = new StringBuilder();
			for (StackTraceElement element : this.thread.getStackTrace()) {
				stack.append("\n\tat ").append(element);
			}
			this.occupation.violated(this + " hangs" + stack);
		}
	}

	@Override
	public void run() {
		while (!this.stopped) {
			synchronized (this.gate) {
				this.interruptible = this.interrupts;
				this.interrupted = false;
			}
			try {
				this.uses.any();
			}
			catch (RuntimeException | Error ex) {
				this.occupation.violated(this + " failed with " + ex);
			}
			synchronized (this.gate) {
				this.interruptible = false;
				if (Thread.interrupted() && !this.interrupted) {
					this.occupation.violated(this + " was left interrupted");
				}
			}
			if (LockContext.capture() != null || TransactionSynchronizationManager.isSynchronizationActive()) {
				this.occupation.violated(this + " was left in a lock or a transaction");
				return;
			}
		}
	}

	@Override
	public String toString() {
		return this.thread.getName();
	}

}
