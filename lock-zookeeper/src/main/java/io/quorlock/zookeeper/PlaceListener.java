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

package io.quorlock.zookeeper;

import org.apache.zookeeper.KeeperException.Code;

import io.quorlock.store.ClaimFailure;

/**
 * Is notified of what becomes of a claim at its place, in the mailbox of the claim.
 */
interface PlaceListener {

	/** Whether somebody waits for the name of the holder. */
	boolean mustExplain();

	/** The claim has to wait: others are in front, or the name cools down. */
	void onBlocked(String why);

	/** The holder of the name is known. */
	void onHeld(ClaimFailure.Held held);

	/** The claim is first, but the session is not known to be alive. */
	void onUnproven();

	/** The claim has come to its end. */
	void onGranted(ZooKeeperGrant grant);

	/** The queue has hardly a number left, and others are in it. */
	void onUsedUp(String container);

	/** The servers refused a request. */
	void onRefused(Code code, String reason);

	/** The session is over, and the place lost. */
	void onSessionOver();

}
