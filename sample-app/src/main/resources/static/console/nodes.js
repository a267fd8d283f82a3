import { byId, element, post, setClass, setText } from './dom.js';
import { nodesOf, votingIn } from './groups.js';
import { Ring, WORDS } from './ring.js';

const DELAYS = [0, 10, 50, 200, 500];

/** The nodes of each group as a ring, and as a list with what can be done to them. */
export class Nodes {

	#events;
	#groups = [];
	#rows = [];
	#states = [];
	#layout;

	constructor(events) {
		this.#events = events;
	}

	update(state) {
		const layout = JSON.stringify([state.controllable, state.nodes.map(({ name, group }) => [name, group])]);
		if (this.#layout !== layout) {
			this.#layout = layout;
			this.#build(state);
		}
		state.nodes.forEach((node, index) => this.#show(node, index));
		state.groups.forEach((group, index) => this.#showGroup(state, group, index));
	}

	#build(state) {
		this.#rows = state.nodes.map((node, index) => this.#rowOf(node, index, state.controllable));
		this.#groups = state.groups.map((group) => this.#groupOf(state, group));
		byId('groups').replaceChildren(...this.#groups.map((view) => view.root));
	}

	#groupOf(state, group) {
		const members = [...state.nodes.keys()].filter((index) => state.nodes[index].group === group.id);
		const ring = new Ring(members.map(letter));
		const list = element('ul', '', ...members.map((index) => this.#rows[index].row));
		if (group.id === null) {
			return { root: element('div', 'group', ring.root, list), ring };
		}
		const word = element('span', 'state');
		const names = element('p', 'names');
		const root = element('div', 'group',
			element('h3', 'row', element('span', '', 'Group ', element('code', '', group.id)), word), names, ring.root, list);
		root.dataset.group = group.id;
		return { root, ring, word, names };
	}

	#showGroup(state, group, index) {
		const view = this.#groups[index];
		view.ring.show(nodesOf(state, group), group.quorum);
		if (!view.word) {
			return;
		}
		const up = group.available && votingIn(state, group) >= group.quorum;
		setClass(view.word, `state ${up ? 'voting' : 'down'}`);
		setText(view.word, up ? 'available' : 'no quorum');
		setText(view.names, `${up ? 'Keeps' : 'Unavailable until a quorum votes'}: ${group.locks.join(', ') || 'no name yet'}`);
		setClass(view.names, up ? 'names' : 'names bad');
		if (view.up !== undefined && view.up !== up) {
			this.#events.add(up ? 'good' : 'bad', up ? `Group ${group.id} has a quorum again`
				: `Group ${group.id} has no quorum: ${group.locks.join(', ')} unavailable`);
		}
		view.up = up;
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
		const view = this.#rows[index];
		setClass(view.state, `state ${node.state}`);
		setText(view.state, WORDS[node.state]);
		setText(view.reason, node.detail);
		setText(view.latency, node.latencyMillis < 0 ? '' : `replies in ${node.latencyMillis.toFixed(1)} ms`);
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

}

const letter = (index) => String.fromCharCode(65 + index);
