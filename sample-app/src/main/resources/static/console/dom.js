export const byId = (id) => document.getElementById(id);

/** An element with a class and children; text is text, never HTML. */
export function element(tag, className, ...children) {
	const created = document.createElement(tag);
	if (className) {
		created.className = className;
	}
	created.append(...children);
	return created;
}

/** Writes only what changed, so that nothing is announced or laid out in vain. */
export function setText(target, text) {
	if (target.textContent !== text) {
		target.textContent = text;
	}
}

export function setClass(target, className) {
	if (target.getAttribute('class') !== className) {
		target.setAttribute('class', className);
	}
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(tag, attributes, text) {
	const created = document.createElementNS(SVG, tag);
	Object.entries(attributes).forEach(([name, value]) => created.setAttribute(name, value));
	if (text !== undefined) {
		created.textContent = text;
	}
	return created;
}

/** JSON, which no page from elsewhere can send unasked. */
export async function post(path, body = {}) {
	const response = await fetch(path, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(body)
	}).catch(() => { throw new Error('The application cannot be reached'); });
	if (!response.ok) {
		const problem = await response.json().catch(() => ({}));
		throw new Error(`The application refused: ${problem.detail ?? `status ${response.status}`}`);
	}
}
