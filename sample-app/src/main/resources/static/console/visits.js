const KEPT_MILLIS = 125_000;

/** Visits that wait for a lock, hold it, or did so lately. Times are the server's. */
export class Visits {

	#visits = new Map();
	#offset;

	update(state, events) {
		const offset = state.now - performance.now();
		const jumped = this.#offset === undefined || Math.abs(offset - this.#offset) > 500;
		// Small differences are the network's: they must not shake the picture.
		this.#offset = jumped ? offset : this.#offset + (offset - this.#offset) * .05;
		for (const visit of state.visits) {
			this.#report(this.#visits.get(visit.id), visit, events, state.now);
			visit.seen = state.now;
			this.#visits.set(visit.id, visit);
		}
		for (const [id, visit] of this.#visits) {
			if (visit.outcome && visit.seen < state.now - KEPT_MILLIS) {
				this.#visits.delete(id);
			}
		}
	}

	#report(before, visit, events, now) {
		const who = `${visit.instance} (${visit.buyer})`;
		if (visit.lost && !before?.lost) {
			events.add('bad', `${visit.lock}: ${who} lost the lock, token ${visit.token}`, now - visit.lost);
		}
		if (visit.outcome === 'refused' && before?.outcome !== 'refused') {
			events.add('good', `${visit.lock}: the fence refused the late write of ${who}, token ${visit.token}`, now - visit.left);
		}
		if (visit.outcome === 'unavailable' && before?.outcome !== 'unavailable') {
			events.add('warm', `${visit.lock}: no quorum for ${who}`);
		}
		if (visit.overlapped && !before?.overlapped) {
			events.overlap(visit.lock, visit.locked, now - visit.entered);
		}
	}

	/** The server's time now. */
	now() {
		return performance.now() + (this.#offset ?? 0);
	}

	locks() {
		return [...new Set([...this.#visits.values()].map((visit) => visit.lock))];
	}

	of(lock) {
		return [...this.#visits.values()].filter((visit) => visit.lock === lock);
	}

}
