import { byId, element, post, setClass, setText, svg } from './dom.js';

const CENTRE = { x: 160, y: 146 };
const RADIUS = 104;
const DELAYS = [0, 10, 50, 200, 500];
const GLYPHS = { voting: '✓', slow: '…', silent: '‖', quarantined: '', down: '✕', rejected: '!' };
const WORDS = {
	voting: 'votes', slow: 'slow', silent: 'silent', quarantined: 'quarantined', down: 'down', rejected: 'rejected'
};

/** The nodes as a ring, and as a list with what can be done to them. */
export class Nodes {

	#ring = byId('ring');
	#events;
	#views = [];
	#states = [];
	#longestQuarantine = 1;

	constructor(events) {
		this.#events = events;
	}

	update(state) {
		if (this.#views.length !== state.nodes.length) {
			this.#build(state);
		}
		state.nodes.forEach((node, index) => this.#show(node, index));
		this.#showMajority(state);
	}

	#build(state) {
		this.#ring.replaceChildren(svg('circle', { class: 'orbit', cx: CENTRE.x, cy: CENTRE.y, r: RADIUS }));
		byId('node-list').replaceChildren();
		this.#views = state.nodes.map((node, index) => {
			const view = { ...this.#discOf(index, state.nodes.length), ...this.#rowOf(node, index, state.controllable) };
			this.#ring.append(view.spoke, view.group);
			byId('node-list').append(view.row);
			return view;
		});
		this.#views.voting = svg('text', { class: 'big', x: CENTRE.x, y: CENTRE.y + 6 });
		this.#views.quorum = svg('text', { class: 'small', x: CENTRE.x, y: CENTRE.y + 26 });
		this.#views.majority = svg('path', { class: 'majority', d: '' });
		this.#ring.append(svg('circle', { r: 46, cx: CENTRE.x, cy: CENTRE.y, fill: 'var(--panel)' }),
			svg('circle', { class: 'orbit', r: 46, cx: CENTRE.x, cy: CENTRE.y }),
			this.#views.majority, this.#views.voting, this.#views.quorum);
	}

	#discOf(index, count) {
		const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
		const x = CENTRE.x + RADIUS * Math.cos(angle);
		const y = CENTRE.y + RADIUS * Math.sin(angle);
		const group = svg('g', {});
		const glyph = svg('text', { class: 'glyph', x, y: y + 6 });
		const wait = svg('path', { class: 'wait', d: '' });
		group.append(svg('circle', { class: 'disc', cx: x, cy: y, r: 24 }), wait, glyph,
			svg('text', { x, y: y + (y > CENTRE.y + 40 ? 42 : -32) }, letter(index)));
		const spoke = svg('line', { class: 'spoke', x1: CENTRE.x, y1: CENTRE.y, x2: x, y2: y });
		return { group, glyph, wait, spoke, x, y };
	}

	#rowOf(node, index, controllable) {
		const state = element('span', 'state');
		const latency = element('span', 'latency');
		const reason = element('p', 'reason');
		const head = element('div', 'row', element('span', 'name', `${letter(index)} `), element('code', '', node.name),
			state, latency);
		const row = element('li', 'node', head, reason);
		row.dataset.node = index;
		if (!controllable) {
			return { row, state, latency, reason };
		}
		const act = (action, millis = 0) => post(`console/nodes/${index}`, { action, millis })
			.catch((error) => this.#events.add('bad', error.message));
		const button = (text, action) => {
			const created = element('button', '', text);
			created.type = 'button';
			created.dataset.action = action;
			created.setAttribute('aria-label', `${text} node ${letter(index)}`);
			created.addEventListener('click', () => act(created.dataset.action));
			return created;
		};
		const delay = element('select', '');
		delay.id = `delay-${index}`;
		delay.append(...DELAYS.map((millis) => new Option(millis ? `+${millis} ms` : 'no delay', millis)));
		delay.addEventListener('change', () => act('DELAY', Number(delay.value)));
		delay.setAttribute('aria-label', `Delay of node ${letter(index)}`);
		const buttons = { stop: button('Stop', 'STOP'), pause: button('Pause', 'PAUSE'), restart: button('Restart empty', 'RESTART') };
		row.append(element('div', 'buttons', buttons.stop, buttons.pause, buttons.restart, delay));
		return { row, state, latency, reason, delay, buttons };
	}

	#show(node, index) {
		const view = this.#views[index];
		setClass(view.group, node.state);
		setClass(view.spoke, `spoke ${node.state}`);
		setClass(view.state, `state ${node.state}`);
		setText(view.state, WORDS[node.state]);
		setText(view.reason, node.detail);
		setText(view.latency, node.latencyMillis < 0 ? '' : `replies in ${node.latencyMillis.toFixed(1)} ms`);
		const quarantined = node.state === 'quarantined';
		setText(view.glyph, quarantined ? String(Math.ceil(node.votesInMillis / 1000)) : GLYPHS[node.state]);
		this.#longestQuarantine = Math.max(this.#longestQuarantine, node.votesInMillis);
		view.wait.setAttribute('d', quarantined ? arc(view.x, view.y, 24, node.votesInMillis / this.#longestQuarantine) : '');
		if (view.buttons) {
			if (!node.running && [view.buttons.stop, view.buttons.pause].includes(document.activeElement)) {
				view.buttons.restart.focus(); // what is disabled loses the keyboard
			}
			view.buttons.stop.disabled = !node.running;
			view.buttons.pause.disabled = !node.running;
			setText(view.buttons.pause, node.paused ? 'Resume' : 'Pause');
			view.buttons.pause.dataset.action = node.paused ? 'RESUME' : 'PAUSE';
			view.buttons.pause.setAttribute('aria-label', `${node.paused ? 'Resume' : 'Pause'} node ${letter(index)}`);
			if (document.activeElement !== view.delay) {
				view.delay.value = String(node.delayMillis);
			}
		}
		const before = this.#states[index];
		if (before && before !== node.state) {
			const className = { voting: 'good', quarantined: 'warm', slow: 'warm' }[node.state] ?? 'bad';
			this.#events.add(className, `Node ${letter(index)} ${node.state === 'voting' ? 'votes' : `is ${WORDS[node.state]}`}`
				+ (node.state !== 'voting' && node.detail ? `: ${node.detail}` : ''));
		}
		this.#states[index] = node.state;
	}

	#showMajority(state) {
		const voting = state.nodes.filter((node) => node.state === 'voting' || node.state === 'slow').length;
		setText(this.#views.voting, `${voting}/${state.nodes.length}`);
		setText(this.#views.quorum, `quorum ${state.quorum}`);
		setClass(this.#views.majority, voting >= state.quorum ? 'majority' : 'majority lacking');
		this.#views.majority.setAttribute('d', arc(CENTRE.x, CENTRE.y, 46, voting / state.nodes.length));
		this.#ring.setAttribute('aria-label', `${voting} of ${state.nodes.length} lock nodes vote, quorum ${state.quorum}: `
			+ state.nodes.map((node, index) => `${letter(index)} ${WORDS[node.state]}`).join(', '));
	}

}

const letter = (index) => String.fromCharCode(65 + index);

/** A part of a circle, clockwise from the top. */
function arc(x, y, radius, part) {
	if (part <= 0) {
		return '';
	}
	const angle = Math.min(part, .9999) * 2 * Math.PI - Math.PI / 2;
	return `M ${x} ${y - radius} A ${radius} ${radius} 0 ${part > .5 ? 1 : 0} 1 `
		+ `${x + radius * Math.cos(angle)} ${y + radius * Math.sin(angle)}`;
}
