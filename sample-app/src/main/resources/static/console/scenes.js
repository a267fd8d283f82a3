import { byId, post } from './dom.js';

/** Switches on and off what shows a kind of lock. */
export class Scenes {

	#switches = [...document.querySelectorAll('input[name=scene]')];

	constructor(events) {
		this.#switches.forEach((one) => one.addEventListener('change', () =>
			post('console/scenes', { scene: one.value, running: one.checked })
				.catch((error) => events.add('bad', error.message))));
	}

	update(state) {
		byId('scenes').hidden = !state.sellable;
		this.#switches.forEach((one) => {
			one.checked = state.scenes.includes(one.value);
		});
	}

}
