import { byId, element } from './dom.js';

const KEPT = 60;
const OVERLAP_PAUSE_MILLIS = 2_000;

/** What happened, newest first. */
export class Events {

	#list = byId('events');
	#overlapShownAt = -Infinity;

	add(className, text, millisAgo = 0) {
		const time = element('time', '', new Date(Date.now() - millisAgo).toLocaleTimeString());
		this.#list.prepend(element('li', className, time, element('span', '', text)));
		while (this.#list.children.length > KEPT) {
			this.#list.lastChild.remove();
		}
	}

	/** At most one line every two seconds. */
	overlap(lock, locked, millisAgo) {
		const at = performance.now() - millisAgo;
		if (at - this.#overlapShownAt > OVERLAP_PAUSE_MILLIS) {
			this.#overlapShownAt = at;
			this.add(locked ? 'bad' : 'warm', `${lock}: two at once${locked ? '' : ', since these buyers take no lock'}`, millisAgo);
		}
	}

}
