import { setClass, setText, svg } from './dom.js';
import { votes } from './groups.js';

const CENTRE = { x: 160, y: 146 };
const RADIUS = 104;
const GLYPHS = { voting: '✓', slow: '…', silent: '‖', quarantined: '', down: '✕', rejected: '!' };

export const WORDS = {
	voting: 'votes', slow: 'slow', silent: 'silent', quarantined: 'quarantined', down: 'down', rejected: 'rejected'
};

/** The nodes of one quorum as a ring. */
export class Ring {

	root = svg('svg', { class: 'ring', viewBox: '0 0 320 300', role: 'img' });
	#discs;
	#voting = svg('text', { class: 'big', x: CENTRE.x, y: CENTRE.y + 6 });
	#quorum = svg('text', { class: 'small', x: CENTRE.x, y: CENTRE.y + 26 });
	#majority = svg('path', { class: 'majority', d: '' });
	#longestQuarantine = 1;

	constructor(letters) {
		this.root.append(svg('circle', { class: 'orbit', cx: CENTRE.x, cy: CENTRE.y, r: RADIUS }));
		this.#discs = letters.map((letter, index) => this.#disc(letter, index, letters.length));
		this.root.append(svg('circle', { r: 46, cx: CENTRE.x, cy: CENTRE.y, fill: 'var(--panel)' }),
			svg('circle', { class: 'orbit', r: 46, cx: CENTRE.x, cy: CENTRE.y }),
			this.#majority, this.#voting, this.#quorum);
	}

	#disc(letter, index, count) {
		const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
		const x = CENTRE.x + RADIUS * Math.cos(angle);
		const y = CENTRE.y + RADIUS * Math.sin(angle);
		const group = svg('g', {});
		const glyph = svg('text', { class: 'glyph', x, y: y + 6 });
		const wait = svg('path', { class: 'wait', d: '' });
		group.append(svg('circle', { class: 'disc', cx: x, cy: y, r: 24 }), wait, glyph,
			svg('text', { x, y: y + (y > CENTRE.y + 40 ? 42 : -32) }, letter));
		const spoke = svg('line', { class: 'spoke', x1: CENTRE.x, y1: CENTRE.y, x2: x, y2: y });
		this.root.append(spoke, group);
		return { letter, group, glyph, wait, spoke, x, y };
	}

	show(nodes, quorum) {
		nodes.forEach((node, index) => this.#showNode(node, this.#discs[index]));
		const voting = nodes.filter(votes).length;
		setText(this.#voting, `${voting}/${nodes.length}`);
		setText(this.#quorum, `quorum ${quorum}`);
		setClass(this.#majority, voting >= quorum ? 'majority' : 'majority lacking');
		this.#majority.setAttribute('d', arc(CENTRE.x, CENTRE.y, 46, voting / nodes.length));
		this.root.setAttribute('aria-label', `${voting} of ${nodes.length} lock nodes vote, quorum ${quorum}: `
			+ nodes.map((node, index) => `${this.#discs[index].letter} ${WORDS[node.state]}`).join(', '));
	}

	#showNode(node, view) {
		setClass(view.group, node.state);
		setClass(view.spoke, `spoke ${node.state}`);
		const quarantined = node.state === 'quarantined';
		setText(view.glyph, quarantined ? String(Math.ceil(node.votesInMillis / 1000)) : GLYPHS[node.state]);
		this.#longestQuarantine = Math.max(this.#longestQuarantine, node.votesInMillis);
		view.wait.setAttribute('d', quarantined ? arc(view.x, view.y, 24, node.votesInMillis / this.#longestQuarantine) : '');
	}

}

/** A part of a circle, clockwise from the top. */
function arc(x, y, radius, part) {
	if (part <= 0) {
		return '';
	}
	const angle = Math.min(part, .9999) * 2 * Math.PI - Math.PI / 2;
	return `M ${x} ${y - radius} A ${radius} ${radius} 0 ${part > .5 ? 1 : 0} 1 `
		+ `${x + radius * Math.cos(angle)} ${y + radius * Math.sin(angle)}`;
}
