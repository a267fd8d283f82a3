import { byId, element, setClass, setText } from './dom.js';
import { shopClass, shopColour } from './instances.js';
import { drawGrid, drawLabels, drawOverlap, drawVisit } from './pen.js';

const ROW = 26;
const AXIS = 18;
const FRAME_MILLIS = 50;
const MIN_ROWS = 2;

/** What happened to each lock lately: one row for each instance, so that two at once are visible. */
export class Timeline {

	#visits;
	#holds;
	#range = byId('range');
	#lanes = new Map();
	#drawnAt = 0;
	#describedAt = 0;

	constructor(visits, holds) {
		this.#visits = visits;
		this.#holds = holds;
	}

	update(state) {
		const locks = [...this.#visits.locks(), ...this.#holds.locks()];
		for (const lock of locks.filter((one) => !this.#lanes.has(one))) {
			const lane = laneOf(lock);
			this.#lanes.set(lock, lane);
			byId('lanes').append(lane.root);
			lane.canvas.setAttribute('aria-label', this.#summary(lock));
		}
		byId('no-lanes').hidden = this.#lanes.size > 0;
		setText(byId('fleet'), state.instances.length > 1
			? `${state.instances.join(' and ')} are two instances of the shop, which compete for its locks.` : '');
		byId('axis').hidden = this.#lanes.size === 0;
		this.#lanes.forEach((lane, lock) => this.#label(lane, lock, state.instances));
		if (performance.now() - this.#describedAt > 5_000) {
			this.#describedAt = performance.now();
			this.#lanes.forEach(({ canvas }, lock) => canvas.setAttribute('aria-label', this.#summary(lock)));
		}
	}

	/** One row for each instance of the fleet, and for any other that was seen. */
	#label(lane, lock, fleet) {
		lane.instances = [...new Set([...fleet, ...this.#of(lock).map(({ instance }) => instance)])];
		while (lane.labels.children.length < lane.instances.length) {
			lane.labels.append(element('span', 'chip'));
		}
		[...lane.labels.children].forEach((label, index) => {
			setText(label, lane.instances[index] ?? '');
			setClass(label, `chip ${shopClass(lane.instances[index])}`);
		});
	}

	#of(lock) {
		return [...this.#visits.of(lock), ...this.#holds.of(lock)];
	}

	#summary(lock) {
		const since = this.#visits.now() - Number(this.#range.value);
		const recent = this.#of(lock).filter((visit) => (visit.left || visit.called) > since);
		const count = (test) => recent.filter(test).length;
		return `${lock}: held ${count((visit) => visit.entered)} times, lost ${count((visit) => visit.lost)} times, `
			+ `two at once ${count((visit) => visit.overlapped)} times`;
	}

	draw() {
		if (document.hidden || performance.now() - this.#drawnAt < FRAME_MILLIS || this.#lanes.size === 0) {
			return;
		}
		this.#drawnAt = performance.now();
		const style = getComputedStyle(document.documentElement);
		const colours = Object.fromEntries(['bad', 'bad-wash', 'line', 'soft', 'panel', 'sunken']
			.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
		const range = Number(this.#range.value);
		const now = this.#visits.now();
		this.#lanes.forEach((lane, lock) => this.#drawLane(lane, lock, { now, range, colours }));
		drawLabels(viewOf(byId('axis'), AXIS, { now, range, colours }));
	}

	#drawLane({ canvas, instances }, lock, times) {
		const view = viewOf(canvas, Math.max(MIN_ROWS, instances.length) * ROW, times);
		drawGrid(view);
		const visits = this.#of(lock).filter((visit) => (visit.left || visit.outcome && visit.seen || view.now) > view.since);
		visits.filter((visit) => visit.overlapped).forEach((visit) => drawOverlap(view, visit));
		const slots = 1 + Math.max(0, ...visits.map((visit) => visit.slot ?? 0));
		instances.forEach((instance, index) => {
			const row = { ...view, top: index * ROW, height: ROW, colour: shopColour(instance), slots };
			visits.filter((visit) => visit.instance === instance)
				.sort((a, b) => Math.sign(a.lost) - Math.sign(b.lost)) // what was lost lies on top
				.forEach((visit) => drawVisit(row, visit));
		});
	}

}

function laneOf(lock) {
	const canvas = element('canvas', '');
	canvas.setAttribute('role', 'img');
	const labels = element('div', 'labels');
	const root = element('div', 'lane', element('h3', '', element('code', '', lock)), labels, canvas);
	root.dataset.lane = lock;
	return { root, labels, canvas, instances: [] };
}

/** Fits the canvas to the page, and says where each time is on it. */
function viewOf(canvas, height, { now, range, colours }) {
	const width = canvas.clientWidth;
	const scale = window.devicePixelRatio || 1;
	if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(height * scale);
		canvas.style.height = `${height}px`;
	}
	const pen = canvas.getContext('2d');
	pen.setTransform(scale, 0, 0, scale, 0, 0);
	pen.clearRect(0, 0, width, height);
	const x = (time) => width * (1 - (now - time) / range);
	return { pen, x, now, range, since: now - range, width, bottom: height, colours };
}
