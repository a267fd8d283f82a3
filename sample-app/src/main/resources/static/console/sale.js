import { byId, element, post, setText } from './dom.js';

/** What is sold to which buyers, and what is left. */
export class Sale {

	#articles = new Map();

	constructor(events) {
		const send = (path, body) => post(path, body).catch((error) => events.add('bad', error.message));
		document.querySelectorAll('input[name=buyers]').forEach((radio) =>
			radio.addEventListener('change', () => send('console/buyers', { kind: radio.value })));
		byId('stall').addEventListener('click', () => send('console/stall'));
	}

	update(state) {
		byId('sale-controls').hidden = !state.sellable;
		byId('read-only').hidden = state.sellable;
		document.querySelectorAll('input[name=buyers]').forEach((radio) => {
			radio.checked = radio.value.toLowerCase() === state.buyers;
		});
		state.stock.forEach((article) => this.#show(article));
	}

	#show(article) {
		if (!this.#articles.has(article.sku)) {
			this.#articles.set(article.sku, build(article.sku));
		}
		const view = this.#articles.get(article.sku);
		const over = Math.max(0, article.sold + article.pieces - article.delivered);
		setText(view.left, `${article.pieces} left`);
		setText(view.sold, `${article.sold} of ${article.delivered} sold`);
		setText(view.over, over > 0 ? `${over} sold too many` : '');
		view.fill.style.transform = `scaleX(${article.delivered ? article.pieces / article.delivered : 0})`;
	}

}

function build(sku) {
	const left = element('b', '');
	const sold = element('span', '');
	const over = element('span', 'over');
	const fill = element('i', '');
	byId('stock').append(element('div', 'article',
		element('div', 'row', element('span', '', `${sku}: `, left), sold, over), element('div', 'bar', fill)));
	return { left, sold, over, fill };
}
