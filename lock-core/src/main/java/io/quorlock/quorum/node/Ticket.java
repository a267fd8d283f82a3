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

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a claim in the queue of a name. A node offers a name that becomes free to
 * its first ticket, and grants it to no other claim while that may still come.
 *
 * @param text {@code <stamp, 16 digits>:<kind>:<patience>:<claim id>}, the same for all
 * attempts of the claim: when it was made in microseconds; {@code r} for a reader,
 * {@code w} for an exclusive claim, or the number of permits; within how many
 * milliseconds its instance asks once it is offered the name; and its id
 * @param lifeMillis for how long it stands unless it is written again
 * @since 0.1.0
 */
public record Ticket(String text, long lifeMillis) {

	private static final int STAMP_LENGTH = 16;

	private static final Pattern FORMAT = Pattern.compile("(\\d{16}):(w|r|\\d{1,4}):(\\d{1,9}):(.+)", Pattern.DOTALL);

	/**
	 * Create a ticket that stands nowhere yet.
	 * @param stampMicros when the claim was made, by a clock on which all instances agree
	 * @param target what it locks
	 * @param patienceMillis within which time its instance asks once it is offered a name
	 * @param claimId identifies the claim, and begins with its instance
	 * @return the ticket
	 */
	public static Ticket of(long stampMicros, LockTarget target, long patienceMillis, String claimId) {
		String stamp = Long.toString(Math.max(0, stampMicros));
		String kind = switch (target.kind()) {
			case EXCLUSIVE -> "w";
			case SHARED -> "r";
			case PERMIT -> Integer.toString(target.permits());
		};
		return new Ticket("0".repeat(Math.max(0, STAMP_LENGTH - stamp.length())) + stamp + ":" + kind + ":"
				+ patienceMillis + ":" + claimId, 0);
	}

	/**
	 * Return the same ticket with another life.
	 * @param lifeMillis for how long it stands
	 * @return the ticket
	 */
	public Ticket living(long lifeMillis) {
		return new Ticket(this.text, lifeMillis);
	}

	/**
	 * Return the claim's id.
	 * @param text the text of a ticket
	 * @return the id; the whole text if it is no ticket
	 */
	public static String claimOf(String text) {
		Matcher ticket = FORMAT.matcher(text);
		return ticket.matches() ? ticket.group(4) : text;
	}

	/**
	 * Return when the claim was made.
	 * @param text the text of a ticket
	 * @return the stamp in microseconds, 0 if the text is no ticket
	 */
	public static long stampOf(String text) {
		Matcher ticket = FORMAT.matcher(text);
		return ticket.matches() ? Long.parseLong(ticket.group(1)) : 0;
	}

	/**
	 * Return whether a ticket is one of a shared claim.
	 * @param text the text of a ticket
	 * @return whether the claim is shared
	 */
	public static boolean isShared(String text) {
		Matcher ticket = FORMAT.matcher(text);
		return ticket.matches() && ticket.group(2).equals("r");
	}

	/**
	 * Return what the claim of a ticket locks.
	 * @param text the text of a ticket
	 * @param name the lock
	 * @return the target; an exclusive one if the text is no ticket
	 */
	public static LockTarget targetOf(String text, String name) {
		Matcher ticket = FORMAT.matcher(text);
		String kind = ticket.matches() ? ticket.group(2) : "w";
		return switch (kind) {
			case "w" -> LockTarget.exclusive(List.of(name));
			case "r" -> LockTarget.shared(List.of(name));
			default -> LockTarget.permits(name, Integer.parseInt(kind));
		};
	}

}
