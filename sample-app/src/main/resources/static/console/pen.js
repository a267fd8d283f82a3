// Draws one lane of the time line.
const STEPS = { 10_000: 1_000, 30_000: 5_000, 120_000: 20_000 };
const LABEL_WIDTH = 40;

export function drawGrid({ pen, x, now, range, bottom, colours }) {
	pen.strokeStyle = colours.line;
	pen.lineWidth = 1;
	for (let ago = STEPS[range]; ago < range; ago += STEPS[range]) {
		const at = Math.round(x(now - ago)) + .5;
		pen.beginPath();
		pen.moveTo(at, 0);
		pen.lineTo(at, bottom);
		pen.stroke();
	}
}

export function drawLabels({ pen, x, now, range, width, bottom, colours }) {
	pen.font = '11px system-ui, sans-serif';
	pen.fillStyle = colours.soft;
	pen.textAlign = 'right';
	pen.fillText('now', width - 2, bottom - 4);
	pen.textAlign = 'center';
	let free = width - LABEL_WIDTH;
	for (let ago = STEPS[range]; ago < range; ago += STEPS[range]) {
		const at = Math.round(x(now - ago));
		if (at + LABEL_WIDTH / 2 <= free && at > LABEL_WIDTH / 2) {
			pen.fillText(`−${ago / 1000} s`, at, bottom - 4);
			free = at - LABEL_WIDTH / 2;
		}
	}
}

export function drawVisit({ pen, x, now, top, height, colour, colours, slots }, visit) {
	const end = visit.left || (visit.outcome ? visit.entered : now);
	const whole = { top: top + 8, height: height - 11 };
	const bar = { top: whole.top + (visit.slot ?? 0) * whole.height / slots, height: whole.height / slots - (slots > 1 ? 1 : 0) };
	const waitedUntil = visit.entered || (visit.outcome ? visit.seen : now);
	pen.fillStyle = colour;
	pen.globalAlpha = .22;
	fill(pen, x(visit.called), x(waitedUntil), top + 3, 4);
	pen.globalAlpha = 1;
	if (!visit.entered) {
		return;
	}
	const heldUntil = visit.lost ? Math.min(visit.lost, end) : end;
	pen.fillStyle = visit.overlapped ? colours.bad : colour;
	fill(pen, x(visit.entered), x(heldUntil) - .5, bar.top, bar.height);
	if (visit.overlapped) {
		pen.fillStyle = colour;
		fill(pen, x(visit.entered), x(heldUntil) - .5, bar.top + bar.height - 3, 3);
	}
	pen.fillStyle = colours.panel;
	visit.renewals.forEach((time) => fill(pen, x(time) - 1, x(time) + 1, bar.top, bar.height));
	if (visit.lost && end > visit.lost) {
		drawUnaware(pen, x(visit.lost), x(end), { top: bar.top + bar.height * .4, height: bar.height * .6 }, colours);
		if (visit.outcome === 'refused') {
			drawText(pen, 'refused', x(end), bar, colours);
		}
	}
}

/** From the loss on until the code under the lock ended: nothing protected it. */
function drawUnaware(pen, from, to, bar, colours) {
	pen.save();
	pen.beginPath();
	pen.rect(from, bar.top, Math.max(1, to - from), bar.height);
	pen.fillStyle = colours['bad-wash'];
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
}

/** On a ground of its own, left of where the write came too late. */
function drawText(pen, text, right, bar, colours) {
	pen.font = '700 10px system-ui, sans-serif';
	pen.textAlign = 'right';
	const width = pen.measureText(text).width;
	pen.fillStyle = colours.bad;
	pen.fillRect(right - width - 6, bar.top + bar.height - 12, width + 6, 12);
	pen.fillStyle = colours.panel;
	pen.fillText(text, right - 3, bar.top + bar.height - 2.5);
}

export function drawOverlap({ pen, x, now, bottom, colours }, visit) {
	pen.fillStyle = colours['bad-wash'];
	fill(pen, x(visit.entered), x(visit.left || now), 0, bottom);
}

function fill(pen, from, to, top, height) {
	pen.fillRect(from, top, Math.max(1, to - from), height);
}
