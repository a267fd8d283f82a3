/** Whether a node's vote counts. */
export const votes = (node) => node.state === 'voting' || node.state === 'slow';

/** The nodes of a group; all of them where there are no groups. */
export const nodesOf = (state, group) => state.nodes.filter((node) => node.group === group.id);

export const votingIn = (state, group) => nodesOf(state, group).filter(votes).length;

/** The groups of which no quorum votes. */
export const withoutQuorum = (state) => state.groups.filter((group) => votingIn(state, group) < group.quorum);

export const isGrouped = (state) => state.groups.some((group) => group.id !== null);
