import { byId, element, shopClass } from './dom.js';

/** Who leads each role. */
export class Leaders {

	#shown = '';

	update(state) {
		const shown = state.leaders.map(({ role, leader }) => `${role}|${leader}`).join();
		if (this.#shown !== shown) {
			this.#shown = shown;
			byId('leaders').replaceChildren(...state.leaders.map((leader) => leaderView(leader)));
		}
	}

}

function leaderView({ role, leader }) {
	return element('div', '', element('dt', '', 'Leader of ', element('code', '', role)),
		leader ? element('dd', `chip ${shopClass(leader)}`, leader) : element('dd', 'note', 'nobody at present'));
}
