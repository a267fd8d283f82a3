import { isGrouped, votes, withoutQuorum } from './groups.js';

const SCENES = {
	READERS: 'Readers share the price list. The writer waits until they have left; as soon as it asks the nodes, later readers wait behind it.',
	PERMITS: 'Five packers share three permits: never more than three pack at once, on both instances together.',
	QUEUE: 'Customers of both instances are served in the order of asking: number 1 is next.'
};

/** One sentence on what to try next. */
export function hint(state) {
	if (!state.sellable) {
		return 'Place orders with POST /orders and watch the locks here.';
	}
	return lackOf(state) ?? kindsOf(state) ?? saleOf(state);
}

function lackOf(state) {
	const down = withoutQuorum(state);
	if (down.length === 0) {
		return null;
	}
	if (isGrouped(state)) {
		return down.length === state.groups.length
			? 'No group has a quorum, so no lock can be granted: restart or resume nodes.'
			: `Group ${down.map((group) => group.id).join(', ')} has no quorum: its names are unavailable, all others work. Restart or resume its nodes.`;
	}
	if (!state.controllable) {
		return 'No lock can be granted at present: the nodes say why.';
	}
	const voting = state.nodes.filter(votes).length;
	return `Only ${voting} of ${state.nodes.length} nodes vote, so no lock can be granted: restart or resume nodes until ${state.quorum} vote again.`;
}

function kindsOf(state) {
	return state.buyers === 'none' && state.scenes.length > 0 ? SCENES[state.scenes.at(-1)] : null;
}

function saleOf(state) {
	const voting = state.nodes.filter(votes).length;
	if (state.buyers === 'none') {
		return isGrouped(state)
			? 'Try this: start buyers with the lock, then stop two nodes of one group. Its names are unavailable, all others work.'
			: 'Try this: start buyers without the lock and watch the article being oversold, then switch to buyers with the lock.';
	}
	if (state.buyers === 'unguarded') {
		return 'Both instances sell at the same time, more than there is. Switch to buyers with the lock.';
	}
	if (!state.controllable) {
		return 'One instance sells at a time. Pause a holder past its lease: the database refuses what it writes too late.';
	}
	if (isGrouped(state)) {
		return 'One instance sells at a time. Stop two nodes of one group: its names are unavailable, all others work.';
	}
	if (voting === state.nodes.length) {
		return 'One instance sells at a time. Stop or pause two nodes: the sale goes on. Then pause a holder past its lease.';
	}
	return `The sale goes on with ${voting} of ${state.nodes.length} nodes. Stop nodes until fewer than ${state.quorum} vote, or restart the stopped ones and watch their quarantine.`;
}
