import { element, setText } from './dom.js';
import { shopClass } from './instances.js';
import { roleOf, seconds, short } from './words.js';

const MAX_WAITERS = 8;

/** The waiters for a lock: next first, where there is an order. */
export class Queue {

	root = element('div', 'waiting');
	#title = element('p', 'note');
	#list = element('ol', 'queue');
	#times = [];
	#shown = '';

	constructor(lock) {
		this.#list.setAttribute('aria-label', `Queue for ${lock}`);
		this.root.append(this.#title, this.#list);
	}

	show(lock, idle) {
		const { waiters, kind } = lock;
		this.root.hidden = idle;
		setText(this.#title, titleOf(waiters));
		const shown = waiters.slice(0, MAX_WAITERS);
		const key = shown.map(({ position, instance, thread, mode, ticket, local }) =>
			[position, instance, thread, mode, ticket, local].join()).join('|') + `|${waiters.length}`;
		if (this.#shown !== key) {
			this.#shown = key;
			this.#times = shown.map(() => element('span', 'time'));
			this.#list.replaceChildren(...shown.map((waiter, index) => itemOf(waiter, kind, this.#times[index])),
				...(waiters.length > shown.length ? [element('li', 'note', `and ${waiters.length - shown.length} more`)] : []));
		}
		shown.forEach((waiter, index) => setText(this.#times[index], seconds(waiter.waited)));
	}

}

function titleOf(waiters) {
	if (waiters.length === 0) {
		return 'No waiters';
	}
	const count = waiters.length === 1 ? '1 waits' : `${waiters.length} wait`;
	if (waiters.length === 1) {
		return count;
	}
	return waiters[0].position ? `${count}, next first` : `${count}, in no promised order`;
}

function itemOf(waiter, kind, time) {
	const detail = waiter.ticket ? 'ticket' : waiter.local ? 'local queue' : '';
	const who = [short(waiter.instance, waiter.thread), kind === 'shared' ? roleOf(waiter) : ''].filter(Boolean).join(', ');
	return element('li', '', element('b', 'position', waiter.position ? String(waiter.position) : '·'),
		element('span', `chip ${shopClass(waiter.instance)}`, waiter.instance),
		element('span', 'who', `${who} `, element('span', 'detail', detail)), time);
}
