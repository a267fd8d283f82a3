import { byId, element, post } from './dom.js';
import { shopClass } from './instances.js';

/** The leader of each role. */
export class Leaders {

	#events;
	#shown = '';

	constructor(events) {
		this.#events = events;
	}

	update(state) {
		const shown = state.leaders.map(({ role, leader }) => `${role}|${leader}|${state.sellable}`).join();
		if (this.#shown !== shown) {
			this.#shown = shown;
			byId('leaders').replaceChildren(...state.leaders.map((leader) => this.#build(leader, state.sellable)));
		}
	}

	#build({ role, leader }, controllable) {
		const view = element('div', '', element('dt', '', 'Leader of ', element('code', '', role)),
			leader ? element('dd', `chip ${shopClass(leader)}`, leader) : element('dd', 'note', 'none at present'));
		if (leader && controllable) {
			view.append(element('dd', '', this.#button(role)));
		}
		return view;
	}

	#button(role) {
		const button = element('button', '', 'Ask to resign');
		button.type = 'button';
		button.setAttribute('aria-label', `Ask the leader of ${role} to resign`);
		button.addEventListener('click', () => post(`console/leaders/${encodeURIComponent(role)}/let-go`)
			.then(() => this.#events.add('', `the leader of ${role} was asked to resign`))
			.catch((error) => this.#events.add('bad', error.message)));
		return button;
	}

}
