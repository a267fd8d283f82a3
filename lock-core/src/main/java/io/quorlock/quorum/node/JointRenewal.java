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

package io.quorlock.quorum.node;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Renewals of several leases that share one command to each node. Each is carried out and
 * replied to by itself, in the order of the list.
 *
 * @since 0.1.0
 */
public final class JointRenewal {

	/**
	 * How many leases share one command at most. Nothing else is carried out on the node
	 * meanwhile: about 0.2 ms.
	 */
	public static final int MAX_SIZE = 24;

	private final List<Member> members;

	private final List<NodeCommand.Renew> commands;

	/** What a driver made of the renewals, to encode them once for all of its nodes. */
	private volatile @Nullable Object encodedForm;

	/**
	 * Create a joint renewal.
	 * @param members {@linkplain NodeCommand.Renew#isJoinable joinable} renewals of
	 * different leases, alike but for names, attempts, permits and fences
	 */
	public JointRenewal(List<Member> members) {
		this.members = List.copyOf(members);
		List<NodeCommand.Renew> commands = new ArrayList<>(members.size());
		for (Member member : this.members) {
			commands.add(member.command());
		}
		this.commands = List.copyOf(commands);
	}

	/**
	 * Return the renewals.
	 * @return the renewals in the order of their replies
	 */
	public List<Member> members() {
		return this.members;
	}

	/**
	 * Return the commands of the renewals.
	 * @return the commands in the order of their replies
	 */
	public List<NodeCommand.Renew> commands() {
		return this.commands;
	}

	/**
	 * Return the encoded form that a driver left here.
	 * @return the form, or {@code null}
	 */
	public @Nullable Object encodedForm() {
		return this.encodedForm;
	}

	/**
	 * Keep an encoded form for the next node of the same driver.
	 * @param encodedForm the form
	 */
	public void encodedForm(Object encodedForm) {
		this.encodedForm = encodedForm;
	}

	/**
	 * One of the renewals.
	 *
	 * @param command the renewal
	 * @param handler receives its reply
	 */
	public record Member(NodeCommand.Renew command, ReplyHandler handler) {
	}

}
