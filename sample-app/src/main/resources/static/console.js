// Gets the state of nodes and locks as server-sent events, and shows it.
import { Events } from './console/events.js';
import { Leaders } from './console/leaders.js';
import { Locks } from './console/locks.js';
import { Nodes } from './console/nodes.js';
import { Sale } from './console/sale.js';
import { Scenes } from './console/scenes.js';
import { Timeline } from './console/timeline.js';
import { Visits } from './console/visits.js';
import { byId, setText } from './console/dom.js';
import { isGrouped, votes, withoutQuorum } from './console/groups.js';
import { Holds } from './console/holds.js';
import { know } from './console/instances.js';
import { hint } from './console/hint.js';

const visits = new Visits();
const holds = new Holds();
const events = new Events();
const parts = [new Nodes(events), new Sale(events), new Scenes(events), new Leaders(events), new Locks(visits),
	new Timeline(visits, holds)];

const source = new EventSource('console/events');

source.onmessage = (message) => {
	const state = JSON.parse(message.data);
	know(state.instances);
	visits.update(state, events);
	holds.update(state, visits);
	parts.forEach((part) => part.update(state));
	facts(state);
	setText(byId('try'), hint(state));
	stream('live', 'good');
};

source.onerror = () => stream('disconnected, retrying', 'bad');

function facts(state) {
	const voting = state.nodes.filter(votes).length;
	setText(byId('fact-nodes'), `${voting} of ${state.nodes.length}`);
	byId('fact-nodes-box').className = withoutQuorum(state).length > 0 ? 'bad' : '';
	setText(byId('fact-quorum'), quorums(state));
	setText(byId('fact-overlaps'), String(state.overlaps));
	setText(byId('fact-unguarded'), String(state.unguardedOverlaps));
	byId('fact-unguarded-box').className = state.unguardedOverlaps > 0 ? 'warm' : '';
	byId('fact-overlaps-box').className = state.overlaps > 0 ? 'bad' : 'good';
}

function quorums(state) {
	const each = [...new Set(state.groups.map((group) => group.quorum))].join(' or ');
	return isGrouped(state) ? `${each} in each group` : each;
}

function stream(text, className) {
	setText(byId('fact-stream'), text);
	byId('fact-stream-box').className = className;
}

function frame() {
	parts.forEach((part) => part.draw?.());
	requestAnimationFrame(frame);
}

requestAnimationFrame(frame);
