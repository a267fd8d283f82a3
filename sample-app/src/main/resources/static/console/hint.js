/** One sentence on what to try next. */
export function hint(state) {
	const voting = state.nodes.filter((node) => node.state === 'voting' || node.state === 'slow').length;
	if (!state.sellable) {
		return 'Place orders with POST /orders and watch the locks here.';
	}
	if (!state.controllable && voting < state.quorum) {
		return 'No lock can be granted at present: the nodes say why.';
	}
	if (voting < state.quorum) {
		return `Only ${voting} of ${state.nodes.length} nodes vote, so no lock can be granted: restart or resume nodes until ${state.quorum} vote again.`;
	}
	if (state.buyers === 'none') {
		return 'Try this: start buyers without the lock and watch the article being oversold, then switch to buyers with the lock.';
	}
	if (state.buyers === 'unguarded') {
		return 'Both instances sell at the same time, more than there is. Switch to buyers with the lock.';
	}
	if (!state.controllable) {
		return 'One instance sells at a time. Pause a holder past its lease: the database refuses what it writes too late.';
	}
	if (voting === state.nodes.length) {
		return 'One instance sells at a time. Stop or pause two nodes: the sale goes on. Then pause a holder past its lease.';
	}
	return `The sale goes on with ${voting} of ${state.nodes.length} nodes. Stop nodes until fewer than ${state.quorum} vote, or restart the stopped ones and watch their quarantine.`;
}
