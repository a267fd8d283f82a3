import { byId, element, setClass, setText } from './dom.js';
import { shopClass } from './instances.js';
import { nodesOf, withoutQuorum } from './groups.js';
import { Queue } from './queue.js';
import { roleOf, seconds, short } from './words.js';

const MAX_HOLDERS = 6;
const MAX_UNPROTECTED = 3;
const HEIGHT_KEPT_MILLIS = 3_000;

/** Each lock: its kind, its group, its holders and its waiters. */
export class Locks {

	#visits;
	#cards = new Map();

	constructor(visits) {
		this.#visits = visits;
	}

	update(state) {
		const down = withoutQuorum(state).map((group) => group.id);
		const sizes = new Map(state.groups.map((group) => [group.id, nodesOf(state, group).length]));
		const visited = this.#visits.locks();
		for (const lock of state.locks) {
			const used = lock.holders.length > 0 || lock.waiters.length > 0 || visited.includes(lock.name);
			if (used && !this.#cards.has(lock.name)) {
				this.#cards.set(lock.name, build(lock));
				this.#arrange(state);
			}
			const card = this.#cards.get(lock.name);
			if (card) {
				this.#show(card, lock, !lock.available || down.includes(lock.group), sizes.get(lock.group), state.now);
			}
		}
	}

	#arrange(state) {
		const cards = state.locks.map((lock) => this.#cards.get(lock.name)).filter(Boolean);
		byId('lock-list').replaceChildren(...cards.map((card) => card.root));
	}

	#show(card, lock, unavailable, nodes, now) {
		const claims = [...lock.holders.map((holder) => claimOf(holder, lock, nodes, now)), ...this.#unprotected(lock)];
		const idle = claims.length === 0 && lock.waiters.length === 0;
		setClass(card.root, `lock${idle ? ' idle' : ''}${unavailable ? ' unavailable' : ''}`);
		card.readers ||= lock.kind === 'shared';
		setText(card.kind, idle ? '' : kindOf(lock, card.readers));
		setText(card.place, lock.group === null ? '' : `group ${lock.group}`);
		showHolders(card, claims, textWithoutHolder(lock, unavailable, idle));
		card.queue.show(lock, idle);
		keepHeight(card, idle);
	}

	/** Visits that go on although the lock is lost, and those without a lock. */
	#unprotected(lock) {
		return this.#visits.of(lock.name)
			.filter((visit) => visit.entered && !visit.left && !visit.outcome)
			.filter((visit) => !visit.locked || visit.lost || visit.remaining === 0)
			.slice(0, MAX_UNPROTECTED)
			.map((visit) => ({
				id: `visit ${visit.id}`, instance: visit.instance, who: short(visit.instance, visit.buyer),
				token: visit.locked ? visit.token : null, lost: visit.locked, until: 0
			}));
	}

	/** Between two states from the server the bars go on shrinking. */
	draw() {
		const now = this.#visits.now();
		this.#cards.forEach((card) => card.views.forEach((view) => drawHolder(view, now)));
	}

}

function build(lock) {
	const kind = element('span', 'kind');
	const place = element('span', 'place');
	const holders = element('div', 'holders');
	const queue = new Queue(lock.name);
	const root = element('article', 'lock', element('h3', '', element('code', '', lock.name), kind, place), holders,
		queue.root);
	root.dataset.lock = lock.name;
	return { root, kind, place, holders, queue, views: [], readers: false, height: 0, heightAt: 0 };
}

/** The kind, and how much of it is taken. */
function kindOf({ kind, permits, fair, holders }, withReaders) {
	const order = fair ? ', fair' : '';
	if (kind === 'permits') {
		return `${holders.length} of ${permits} permits in use${order}`;
	}
	if (withReaders) {
		const readers = holders.filter((holder) => holder.mode === 'shared').length;
		const taken = [count(readers, 'reader'), count(holders.length - readers, 'writer')].filter(Boolean);
		return `shared or exclusive${order}: ${taken.join(' and ') || 'no holder'}`;
	}
	return `exclusive${order}`;
}

const count = (number, word) => number && `${number} ${word}${number === 1 ? '' : 's'}`;

function textWithoutHolder(lock, unavailable, idle) {
	if (unavailable) {
		return lock.group === null ? 'Unknown: no quorum of nodes replies' : `Unavailable: group ${lock.group} has no quorum`;
	}
	if (lock.elsewhere) {
		return `Held outside this fleet by ${lock.elsewhere}`;
	}
	return idle ? 'Free' : 'Not held at this moment';
}

function claimOf(holder, lock, nodes, now) {
	const role = lock.kind === 'shared' ? roleOf(holder) : holder.permit ? `permit ${holder.permit}` : '';
	return {
		id: `${holder.instance} ${holder.thread} ${holder.token} ${holder.mode}`, instance: holder.instance,
		who: short(holder.instance, holder.thread), role, token: holder.token, since: now - holder.held,
		until: now + holder.remaining, remaining: holder.remaining, nodes: `${holder.nodes} of ${nodes} nodes`
	};
}

function showHolders(card, claims, text) {
	const shown = claims.slice(0, MAX_HOLDERS);
	const more = claims.length - shown.length;
	const ids = shown.map((claim) => claim.id).join('|') + `|${more}|${shown.length ? '' : text}`;
	if (card.shown !== ids) {
		card.shown = ids;
		const before = new Map(card.views.map((view) => [view.claim.id, view]));
		card.views = shown.map((claim) => before.get(claim.id) ?? holderView(claim));
		card.holders.replaceChildren(...card.views.map((view) => view.root),
			...(more > 0 ? [element('p', 'note', `and ${more} more`)] : []),
			...(shown.length === 0 ? [element('div', 'holder note', text)] : []));
	}
	card.views.forEach((view, index) => {
		view.claim = shown[index];
		view.whole = Math.max(view.whole, view.claim.remaining ?? 0);
	});
}

function holderView(claim) {
	const fill = element('i', '');
	const left = element('span', 'left');
	const detail = element('span', '');
	const token = claim.token === null ? element('span', '', 'no fencing token')
		: element('span', '', 'token ', element('code', '', claim.token));
	const root = element('div', '',
		element('div', 'row', element('span', 'chip', claim.instance),
			element('span', '', [claim.who, claim.role].filter(Boolean).join(', ')), left),
		element('div', 'bar', fill), element('div', 'token', token, detail));
	return { root, fill, left, detail, claim, whole: 1 };
}

function drawHolder(view, now) {
	const { claim } = view;
	const remaining = Math.max(0, claim.until - now);
	const unlocked = claim.until === 0 && !claim.lost;
	const lost = !unlocked && (claim.lost || remaining === 0);
	setClass(view.root, `holder ${shopClass(claim.instance)}${lost ? ' lost' : ''}`);
	setText(view.left, unlocked ? 'selling without a lock' : lost ? 'lost, still running' : `valid for ${seconds(remaining)}`);
	setText(view.detail, claim.since === undefined ? '' : `, for ${seconds(now - claim.since)}, on ${claim.nodes}`);
	view.fill.style.transform = `scaleX(${unlocked ? 0 : remaining / view.whole})`;
}

/** A card in use shrinks late, so that what is below it stays where it is. */
function keepHeight(card, idle) {
	const style = card.root.style;
	style.minHeight = '';
	const now = performance.now();
	const height = card.root.offsetHeight;
	if (idle || height >= card.height || now - card.heightAt > HEIGHT_KEPT_MILLIS) {
		card.height = idle ? 0 : height;
		card.heightAt = now;
	}
	style.minHeight = idle ? '' : `${card.height}px`;
}
