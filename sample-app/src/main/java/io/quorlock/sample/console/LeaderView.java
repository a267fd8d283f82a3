package io.quorlock.sample.console;

import org.jspecify.annotations.Nullable;

/**
 * A role of leader election.
 *
 * @param role the role
 * @param leader the instance that leads it, if one is known
 */
record LeaderView(String role, @Nullable String leader) {

}
