const KEPT_MILLIS = 125_000;

/**
 * What was held and waited for by others than buyers, as far as the states of the page show it:
 * what comes and goes between two of them is missing. In the form of visits.
 */
export class Holds {

	#claims = new Map();

	update(state, visits) {
		const visited = visits.locks();
		const locks = state.locks.filter(({ name }) => !visited.includes(name) && !name.startsWith('leader:'));
		const held = locks.flatMap((lock) => lock.holders.map((holder) => ({ ...holder, lock: lock.name, id: idOf(lock.name, 'holds', holder) })));
		const awaited = locks.flatMap((lock) => lock.waiters.map((waiter) => ({ ...waiter, lock: lock.name, id: idOf(lock.name, 'waits', waiter) })));
		this.#close(new Set([...held, ...awaited].map(({ id }) => id)), state.now);
		// Those that left make room first.
		held.filter(({ id }) => !this.#claims.has(id)).forEach(({ id, lock, instance, held: since }) =>
			this.#claims.set(id, claim(lock, instance, state.now - since, state.now - since, this.#freeSlot(lock, instance))));
		awaited.filter(({ id }) => !this.#claims.has(id)).forEach(({ id, lock, instance, waited }) =>
			this.#claims.set(id, claim(lock, instance, state.now - waited, 0, 0)));
	}

	#close(present, now) {
		for (const [id, one] of this.#claims) {
			if (!present.has(id) && !one.left) {
				this.#claims.delete(id);
				this.#claims.set(`${id} until ${now}`, { ...one, left: now, outcome: 'done', seen: now });
			}
			else if (one.left && one.left < now - KEPT_MILLIS) {
				this.#claims.delete(id);
			}
		}
	}

	/** Several holders in one instance are drawn below each other. */
	#freeSlot(lock, instance) {
		const taken = this.of(lock).filter((one) => one.instance === instance && one.entered && !one.left).map(({ slot }) => slot);
		let slot = 0;
		while (taken.includes(slot)) {
			slot++;
		}
		return slot;
	}

	locks() {
		return [...new Set([...this.#claims.values()].map(({ lock }) => lock))];
	}

	of(lock) {
		return [...this.#claims.values()].filter((one) => one.lock === lock);
	}

}

const idOf = (lock, what, { instance, thread, token, mode }) => [lock, what, instance, thread, token, mode].join();

const claim = (lock, instance, called, entered, slot) =>
	({ lock, instance, called, entered, left: 0, lost: 0, renewals: [], slot, outcome: null, seen: 0 });
