package io.quorlock.redis.client;

import java.util.List;

/**
 * What is left when a connection ends.
 *
 * @param lost was written, or may have been
 * @param notSent was not
 * @param reason why the connection ended
 */
record Remains(List<PendingCommand> lost, List<PendingCommand> notSent, String reason) {

}
