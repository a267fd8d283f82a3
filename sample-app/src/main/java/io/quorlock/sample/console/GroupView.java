package io.quorlock.sample.console;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A group of nodes, or all of them where there are no groups.
 *
 * @param id the id of the group, {@code null} without groups
 * @param quorum how many of its nodes have to agree
 * @param available whether so many of them vote
 * @param locks the names that are known to live there
 */
record GroupView(@Nullable String id, int quorum, boolean available, List<String> locks) {

}
