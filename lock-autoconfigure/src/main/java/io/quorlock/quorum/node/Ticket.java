package io.quorlock.quorum.node;

/**
 * The place of a claim among those that wait for a name (R21). Nodes grant nothing to a
 * claim while an older ticket stands there, so that neither writers nor readers starve.
 *
 * @param text {@code <stamp, 16 digits>:<r|w>:<claim id>}, the same for all attempts of
 * the claim; tickets are ordered by it
 * @param registration when a node writes the ticket down
 * @param patienceMillis for how long it stands unless it is written again
 * @since 0.1.0
 */
public record Ticket(String text, Registration registration, long patienceMillis) {

	private static final int STAMP_LENGTH = 16;

	/**
	 * When a node writes a ticket down.
	 */
	public enum Registration {

		/** Never: the claim waits for older tickets, but no other claim waits for it. */
		NEVER,

		/** If only readers are in the way. */
		BEHIND_READERS,

		/** If any owner is in the way. */
		WHEN_REFUSED

	}

	/**
	 * Create a ticket.
	 * @param stampMicros when the claim was made, by a clock on which all instances agree
	 * @param shared whether the claim is for a shared lock
	 * @param claimId identifies the claim
	 * @param registration when a node writes it down
	 * @param patienceMillis for how long it stands
	 * @return the ticket
	 */
	public static Ticket of(long stampMicros, boolean shared, String claimId, Registration registration,
			long patienceMillis) {
		String stamp = Long.toString(Math.max(0, stampMicros));
		String padding = "0".repeat(Math.max(0, STAMP_LENGTH - stamp.length()));
		return new Ticket(padding + stamp + (shared ? ":r:" : ":w:") + claimId, registration, patienceMillis);
	}

	/**
	 * Return whether a node that refuses the claim writes the ticket down.
	 * @param refusal the reply of the node
	 * @return whether it has written it down
	 */
	public boolean isRegisteredBy(NodeReply.Refused refusal) {
		return switch (this.registration) {
			case NEVER -> false;
			case BEHIND_READERS -> refusal.isByReadersAlone();
			case WHEN_REFUSED -> true;
		};
	}

	/**
	 * Return the same ticket with another registration.
	 * @param registration when a node writes it down
	 * @return the ticket
	 */
	public Ticket with(Registration registration) {
		return new Ticket(this.text, registration, this.patienceMillis);
	}

	/**
	 * Return the claim's id.
	 * @param text the text of a ticket
	 * @return what follows the stamp and the kind; the whole text if it is no ticket
	 */
	public static String claimOf(String text) {
		return isTicket(text) ? text.substring(STAMP_LENGTH + 3) : text;
	}

	/**
	 * Return when the claim was made.
	 * @param text the text of a ticket
	 * @return the stamp in microseconds, 0 if the text is no ticket
	 */
	public static long stampOf(String text) {
		return isTicket(text) ? Long.parseLong(text.substring(0, STAMP_LENGTH)) : 0;
	}

	/**
	 * Return whether a ticket is one of a shared claim.
	 * @param text the text of a ticket
	 * @return whether the claim is shared
	 */
	public static boolean isShared(String text) {
		return isTicket(text) && text.charAt(STAMP_LENGTH + 1) == 'r';
	}

	private static boolean isTicket(String text) {
		return text.length() > STAMP_LENGTH + 3 && text.charAt(STAMP_LENGTH) == ':'
				&& text.substring(0, STAMP_LENGTH).chars().allMatch((c) -> c >= '0' && c <= '9');
	}

	/**
	 * Return whether a release that names the first waiter concerns this one, too: it is
	 * the first, or older than the first that the node knows, or both are readers.
	 * @param first the text of the first waiter's ticket; empty if none is named
	 * @return whether it is time to ask again
	 */
	public boolean isNamedBy(String first) {
		return first.isEmpty() || this.text.compareTo(first) <= 0 || (isShared(this.text) && isShared(first));
	}

}
