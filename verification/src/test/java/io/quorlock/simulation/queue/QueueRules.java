/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.simulation.queue;

/**
 * What a run of the model plays with. All durations are in microseconds.
 */
final class QueueRules {

	int instances = 5;

	int nodes = 5;

	long seed = 1;

	/** How often a younger claim may take a free name past its first ticket. */
	int passes;

	long hold = 1_000;

	long think = 50;

	/** One way to a node of the instance's own zone, and of another zone. */
	long near = 125;

	long far = 500;

	/** Time that a node works on a script, and on a message that it publishes. */
	long script = 15;

	long publish = 3;

	/** Cores that instances and nodes share, 0 for machines of their own. */
	int cores;

	/**
	 * What a reply or a message costs the instance that receives it, if cores are shared.
	 */
	long receive = 15;

	long operationTimeout = 100_000;

	long maxDelay = 500_000;

	long lease = 30_000_000;

	long wait = 600_000_000;

	/** Whether every instance asks once, or over and over. */
	boolean once;

	/** The span in which the instances begin. */
	long arrival = 1_000;

	double lostMessages;

	double lateMessages;

	/** Mean time between two broken connections, crashes, empty restarts, 0 for none. */
	long breaks;

	long crashes;

	long restarts;

	long clockSteps;

	/** Instances below this number that die as soon as they wait. */
	int dead;

	/** Whether the connections of a dead instance are closed, as the kernel does it. */
	boolean closed = true;

	/** Whether a node removes a ticket whose instance listens no longer. */
	boolean countReceivers;

	/** How soon a refusal by ticket repeats an offer. */
	long offerAgain = 100_000;

	// What a run may break on purpose

	/** Whether the script that grants removes the claim's ticket. */
	boolean grantRemoves = true;

	/** Whether a failed round's release writes its ticket down. */
	boolean registerOnRelease = true;

	/** Whether nodes that refused get a release, too. */
	boolean releaseRefused = true;

	/** Whether an offer ends at all. */
	boolean offerEnds = true;

	/** Whether a release tells the second that it is next. */
	boolean tellSecond = true;

	/** Whether a withdraw of the first or second tells its successor. */
	boolean withdrawTells;

	/** Whether a claim's end is followed by a withdraw behind late refusals. */
	boolean withdrawLate = true;

	/** Whether an offer for an unknown claim is answered by a withdraw. */
	boolean answerUnknown = true;

	/** Whether a failed round's release offers the name to its own claim. */
	boolean offersToOwn;

	/** Whether what an own failed round frees counts as an offer that is waited for. */
	boolean ownReleaseWakes;

	/** Whether the pauses of a claim double as long as a majority names one holder. */
	boolean calm = true;

}
