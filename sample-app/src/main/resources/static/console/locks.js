import { byId, element, setClass, setText, shopClass } from './dom.js';

/** Each lock: who holds it, for how long it is safe, and who waits. */
export class Locks {

	#visits;
	#cards = new Map();
	#quorum = true;

	constructor(visits) {
		this.#visits = visits;
	}

	update(state) {
		const voting = state.nodes.filter((node) => node.state === 'voting' || node.state === 'slow').length;
		this.#quorum = voting >= state.quorum;
		for (const lock of this.#visits.locks()) {
			if (!this.#cards.has(lock)) {
				this.#cards.set(lock, this.#build(lock));
			}
		}
		this.#cards.forEach((card, lock) => this.#show(card, this.#visits.of(lock)));
	}

	#build(lock) {
		if (this.#cards.size === 0) {
			byId('lock-list').replaceChildren();
		}
		const holders = element('div', 'holders');
		const queue = element('ul', 'queue');
		queue.setAttribute('aria-label', `Queue for ${lock}`);
		const card = element('article', 'lock', element('h3', '', element('code', '', lock)), holders, queue);
		card.dataset.lock = lock;
		byId('lock-list').append(card);
		return { root: card, holders, queue };
	}

	#show(card, visits) {
		const inside = visits.filter((visit) => visit.entered && !visit.left && !visit.outcome);
		const waiting = visits.filter((visit) => !visit.entered && !visit.outcome);
		this.#showHolders(card, inside);
		const idle = inside.length === 0 && waiting.length === 0;
		setClass(card.root, idle ? 'lock idle' : 'lock');
		const queue = waiting.map((visit) => `${visit.instance}|${visit.buyer}`).join();
		if (card.shown !== queue) {
			card.shown = queue;
			card.queue.replaceChildren(waiting.length ? `${waiting.length} waiting` : '',
				...waiting.slice(0, 8).map((visit) => element('li', '',
					element('span', `chip ${shopClass(visit.instance)}`, short(visit)))),
				...(waiting.length > 8 ? [`and ${waiting.length - 8} more`] : []));
		}
	}

	#showHolders(card, inside) {
		const ids = inside.slice(0, 3).map((visit) => visit.id);
		if (inside.length === 0) {
			const text = this.#quorum ? 'Free' : 'Unknown: no quorum of nodes replies';
			if (card.holderIds !== 'none' || card.text !== text) {
				card.holders.replaceChildren(element('div', 'holder note', text));
			}
			card.holderIds = 'none';
			card.text = text;
			return;
		}
		if (card.holderIds !== ids.join()) {
			card.holderIds = ids.join();
			card.views = inside.slice(0, 3).map((visit) => holderView(visit));
			card.holders.replaceChildren(...card.views.map((view) => view.root));
		}
		inside.slice(0, 3).forEach((visit, index) => {
			const view = card.views[index];
			view.visit = visit;
			view.until = this.#visits.now() + visit.remaining;
			view.whole = Math.max(view.whole ?? 1, visit.remaining);
		});
	}

	/** Between two states from the server the bars go on shrinking. */
	draw() {
		const now = this.#visits.now();
		this.#cards.forEach((card) => {
			if (card.holderIds === 'none') {
				return;
			}
			card.views?.forEach((view) => drawHolder(view, now));
		});
	}

}

function holderView(visit) {
	const fill = element('i', '');
	const left = element('span', 'left');
	const root = element('div', `holder ${shopClass(visit.instance)}`,
		element('div', 'row', element('span', 'chip', visit.instance), element('span', '', visit.buyer), left),
		element('div', 'bar', fill),
		element('div', 'token', visit.locked ? 'fencing token ' : 'no lock, no fencing token',
			element('code', '', visit.locked ? visit.token : '')));
	return { root, fill, left, visit };
}

function drawHolder(view, now) {
	const { visit } = view;
	const remaining = Math.max(0, view.until - now);
	const lost = visit.locked && (visit.lost || remaining === 0);
	setClass(view.root, `holder ${shopClass(visit.instance)}${lost ? ' lost' : ''}`);
	setText(view.left, !visit.locked ? 'selling without a lock' : lost ? 'lost, still running' : `valid for ${(remaining / 1000).toFixed(1)} s`);
	view.fill.style.transform = `scaleX(${visit.locked ? remaining / view.whole : 0})`;
}

const short = (visit) => visit.buyer.replace(`${visit.instance}-`, '');
