import { byId, element } from './dom.js';

const HEIGHT = 108;
const AXIS = 18;
const LABEL = 58;
const FRAME_MILLIS = 50;

/** What happened to each lock lately: one lane for each instance, so that two at once are visible. */
export class Timeline {

	#visits;
	#range = byId('range');
	#lanes = new Map();
	#drawnAt = 0;
	#describedAt = 0;

	constructor(visits) {
		this.#visits = visits;
	}

	update() {
		for (const lock of this.#visits.locks()) {
			if (!this.#lanes.has(lock)) {
				const canvas = element('canvas', '');
				canvas.setAttribute('role', 'img');
				canvas.setAttribute('aria-label', this.#summary(lock));
				byId('lanes').append(element('div', 'lane', element('h3', '', element('code', '', lock)), canvas));
				this.#lanes.set(lock, canvas);
			}
		}
		if (performance.now() - this.#describedAt > 5_000) {
			this.#describedAt = performance.now();
			this.#lanes.forEach((canvas, lock) => canvas.setAttribute('aria-label', this.#summary(lock)));
		}
	}

	#summary(lock) {
		const since = this.#visits.now() - Number(this.#range.value);
		const recent = this.#visits.of(lock).filter((visit) => (visit.left || visit.called) > since);
		const count = (test) => recent.filter(test).length;
		return `${lock}: held ${count((visit) => visit.entered)} times, lost ${count((visit) => visit.lost)} times, `
			+ `two at once ${count((visit) => visit.overlapped)} times`;
	}

	draw() {
		if (document.hidden || performance.now() - this.#drawnAt < FRAME_MILLIS) {
			return;
		}
		this.#drawnAt = performance.now();
		const style = getComputedStyle(document.documentElement);
		const colour = (name) => style.getPropertyValue(`--${name}`).trim();
		const colours = {
			shops: [colour('shop-0'), colour('shop-1')], bad: colour('bad'), wash: colour('bad-wash'), line: colour('line'), soft: colour('soft'), panel: colour('panel'), text: colour('text')
		};
		this.#lanes.forEach((canvas, lock) => this.#drawLock(canvas, lock, colours));
	}

	#drawLock(canvas, lock, colours) {
		const width = canvas.clientWidth;
		const scale = window.devicePixelRatio || 1;
		if (canvas.width !== Math.round(width * scale)) {
			canvas.width = Math.round(width * scale);
			canvas.height = Math.round(HEIGHT * scale);
		}
		const pen = canvas.getContext('2d');
		pen.setTransform(scale, 0, 0, scale, 0, 0);
		pen.clearRect(0, 0, width, HEIGHT);
		const now = this.#visits.now();
		const range = Number(this.#range.value);
		const x = (time) => LABEL + (width - LABEL - 8) * (1 - (now - time) / range);
		const view = { pen, now, since: now - range, x, right: width - 8, colours };
		drawAxis(view, range);
		const instances = this.#visits.instances(lock);
		const laneHeight = (HEIGHT - AXIS) / Math.max(2, instances.length);
		const visits = this.#visits.of(lock).filter((visit) => (visit.left || visit.outcome && visit.seen || now) > view.since);
		pen.save();
		pen.beginPath();
		pen.rect(LABEL, 0, width - LABEL - 8, HEIGHT);
		pen.clip();
		visits.filter((visit) => visit.overlapped).forEach((visit) => drawOverlap(view, visit));
		instances.forEach((instance, index) => {
			const lane = { ...view, top: index * laneHeight, height: laneHeight, colour: colours.shops[index % 2] };
			visits.filter((visit) => visit.instance === instance)
				.sort((a, b) => Math.sign(a.lost) - Math.sign(b.lost)) // what was lost lies on top
				.forEach((visit) => drawVisit(lane, visit));
		});
		pen.restore();
		pen.font = '600 11px system-ui, sans-serif';
		pen.textAlign = 'left';
		instances.forEach((instance, index) => {
			pen.fillStyle = colours.shops[index % 2];
			pen.fillText(instance, 8, index * laneHeight + laneHeight / 2 + 8, LABEL - 12);
		});
	}

}

function drawAxis({ pen, x, now, colours, right }, range) {
	const step = { 10_000: 1_000, 30_000: 5_000, 120_000: 20_000 }[range];
	pen.font = '11px system-ui, sans-serif';
	pen.textAlign = 'center';
	pen.fillStyle = colours.soft;
	pen.strokeStyle = colours.line;
	pen.lineWidth = 1;
	let free = right - 34;
	for (let ago = 0; ago <= range; ago += step) {
		const at = Math.round(x(now - ago)) + .5;
		pen.beginPath();
		pen.moveTo(at, 0);
		pen.lineTo(at, HEIGHT - AXIS + 3);
		pen.stroke();
		const label = Math.max(at, LABEL + 16);
		if (label + 18 < free) {
			pen.fillText(`−${ago / 1000} s`, label, HEIGHT - 4);
			free = label - 18;
		}
	}
	pen.fillText('now', right - 12, HEIGHT - 4);
}

function drawVisit({ pen, x, now, top, height, colour, colours }, visit) {
	const end = visit.left || (visit.outcome ? visit.entered : now);
	const bar = { top: top + 14, height: height - 20 };
	const waitedUntil = visit.entered || (visit.outcome ? visit.seen : now);
	pen.fillStyle = colour;
	pen.globalAlpha = .16;
	fill(pen, x(visit.called), x(waitedUntil), top + 6, 5);
	pen.globalAlpha = 1;
	if (!visit.entered) {
		return;
	}
	const heldUntil = visit.lost ? Math.min(visit.lost, end) : end;
	pen.fillStyle = visit.overlapped ? colours.bad : colour;
	fill(pen, x(visit.entered), x(heldUntil) - .5, bar.top, bar.height);
	if (visit.overlapped) {
		pen.fillStyle = colour;
		fill(pen, x(visit.entered), x(heldUntil) - .5, bar.top + bar.height - 4, 4);
	}
	pen.fillStyle = colours.panel;
	visit.renewals.forEach((time) => fill(pen, x(time) - 1, x(time) + 1, bar.top, bar.height));
	if (visit.lost && end > visit.lost) {
		const lower = { top: bar.top + bar.height * .45, height: bar.height * .55 };
		drawUnaware(pen, x(visit.lost), x(end), lower, colours);
		if (visit.outcome === 'refused') {
			pen.font = '700 11px system-ui, sans-serif';
			pen.textAlign = 'center';
			pen.fillText('refused', x(end), bar.top - 3);
		}
	}
}

/** From the loss on until the code under the lock ended: nothing protected it. */
function drawUnaware(pen, from, to, bar, colours) {
	pen.save();
	pen.beginPath();
	pen.rect(from, bar.top, Math.max(1, to - from), bar.height);
	pen.fillStyle = colours.wash;
	pen.fill();
	pen.strokeStyle = colours.bad;
	pen.lineWidth = 1.5;
	pen.stroke();
	pen.clip();
	pen.globalAlpha = .45;
	for (let at = from - bar.height; at < to; at += 7) {
		pen.beginPath();
		pen.moveTo(at, bar.top + bar.height);
		pen.lineTo(at + bar.height, bar.top);
		pen.stroke();
	}
	pen.restore();
	pen.fillStyle = colours.bad;
	pen.font = '700 14px system-ui, sans-serif';
	pen.textAlign = 'center';
	pen.fillText('✕', from, bar.top + 2);
}

function drawOverlap({ pen, x, now, colours }, visit) {
	pen.fillStyle = colours.wash;
	fill(pen, x(visit.entered), x(visit.left || now), 0, HEIGHT - AXIS);
}

function fill(pen, from, to, top, height) {
	pen.fillRect(from, top, Math.max(1, to - from), height);
}
