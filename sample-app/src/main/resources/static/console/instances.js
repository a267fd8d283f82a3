let known = [];

/** The instances of the fleet, in the order in which it starts them. */
export function know(instances) {
	known = instances;
}

/** The class of an instance's colour, the same wherever it is shown; grey for one that is not of this fleet. */
export function shopClass(instance) {
	const index = known.indexOf(instance);
	return index < 0 ? 'shop-other' : `shop-${index % 2}`;
}

/** The colour of an instance, for what is drawn. */
export const shopColour = (instance) =>
	getComputedStyle(document.documentElement).getPropertyValue(`--${shopClass(instance)}`).trim();
