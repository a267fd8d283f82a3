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

package io.quorlock.simulation;

import java.util.Arrays;

/**
 * What happens when, in simulated nanoseconds. What is due at the same instant happens in
 * the order in which it was put down, also when it was put off.
 */
final class Agenda {

	/** One thing that will happen. */
	abstract static class Event {

		private long time;

		private long order;

		boolean cancelled;

		long time() {
			return this.time;
		}

		abstract void happen();

	}

	private Event[] heap = new Event[256];

	private int size;

	private long nextOrder;

	void add(long time, Event event) {
		event.time = time;
		event.order = this.nextOrder++;
		push(event);
	}

	/** Puts an event off; it stays ahead of those that were put down later. */
	void putOff(long time, Event event) {
		event.time = time;
		push(event);
	}

	boolean isEmpty() {
		return this.size == 0;
	}

	Event poll() {
		Event first = this.heap[0];
		this.size--;
		Event last = this.heap[this.size];
		int hole = 0;
		for (int child = 1; child < this.size; child = 2 * hole + 1) {
			if (child + 1 < this.size && isBefore(this.heap[child + 1], this.heap[child])) {
				child++;
			}
			if (!isBefore(this.heap[child], last)) {
				break;
			}
			this.heap[hole] = this.heap[child];
			hole = child;
		}
		this.heap[hole] = last;
		return first;
	}

	private void push(Event event) {
		if (this.size == this.heap.length) {
			this.heap = Arrays.copyOf(this.heap, 2 * this.size);
		}
		int hole = this.size++;
		while (hole > 0 && isBefore(event, this.heap[(hole - 1) / 2])) {
			this.heap[hole] = this.heap[(hole - 1) / 2];
			hole = (hole - 1) / 2;
		}
		this.heap[hole] = event;
	}

	private static boolean isBefore(Event a, Event b) {
		return (a.time != b.time) ? a.time < b.time : a.order < b.order;
	}

}
