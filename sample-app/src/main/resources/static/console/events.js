import { byId, element } from './dom.js';

const KEPT = 60;
const OVERLAP_PAUSE_MILLIS = 2_000;

/** What people should not miss, newest first. */
export class Events {

	#list = byId('events');
	#overlapToldAt = -Infinity;

	add(className, text, millisAgo = 0) {
		const time = element('time', '', new Date(Date.now() - millisAgo).toLocaleTimeString());
		this.#list.prepend(element('li', className, time, element('span', '', text)));
		while (this.#list.children.length > KEPT) {
			this.#list.lastChild.remove();
		}
	}

	/** They come in crowds: one line now and then says it. */
	overlap(lock, millisAgo) {
		const at = performance.now() - millisAgo;
		if (at - this.#overlapToldAt > OVERLAP_PAUSE_MILLIS) {
			this.#overlapToldAt = at;
			this.add('bad', `${lock}: two at once`, millisAgo);
		}
	}

}
