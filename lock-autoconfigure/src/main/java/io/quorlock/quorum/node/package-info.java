/**
 * The driver's side of a quorum: a node, the commands that it carries out and the replies
 * that it gives.
 */
@NullMarked
package io.quorlock.quorum.node;

import org.jspecify.annotations.NullMarked;
