package io.quorlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Why a name is not granted though it is not held (R18): its last holder asked for that.
 * Kept in a persistent node, since it outlives the session, and shut-down. It ends by the
 * servers' clocks, as far as the claim that reads it knows them.
 *
 * @param millis how long the name cools down from the creation of the node on
 * @param owner the token of the last holder
 */
record Cooldown(long millis, String owner) {

	static byte[] data(Duration duration, String owner) {
		return (Math.max(1, duration.toMillis()) + " " + owner).getBytes(StandardCharsets.UTF_8);
	}

	static Cooldown parse(String text) {
		int space = text.indexOf(' ');
		try {
			return new Cooldown(Long.parseLong(text.substring(0, Math.max(0, space))), text.substring(space + 1));
		}
		catch (NumberFormatException ex) {
			return new Cooldown(0, text);
		}
	}

	/**
	 * Delete what lets a name cool down, unless it is of a later holder.
	 * @param requests the session's requests
	 * @param container the container of the name
	 * @param owner the token of the holder
	 */
	static void end(Requests requests, String container, String owner) {
		String path = container + "/" + LockPaths.COOLDOWN;
		requests.read(path, false, (code, content) -> {
			if (content != null && parse(content.text()).owner().equals(owner)) {
				requests.delete(path, (deleted, gone) -> {
				});
			}
		});
	}

	/**
	 * Return how long the name goes on cooling down.
	 * @param createdMillis when the node was created, by the servers' clock
	 * @param nowMillis the time by that clock
	 * @return the time left, zero or less if it is over
	 */
	long remainingMillis(long createdMillis, long nowMillis) {
		return this.millis - Math.max(0, nowMillis - createdMillis);
	}

}
