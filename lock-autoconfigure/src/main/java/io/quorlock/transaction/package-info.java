/**
 * Locks and Spring's transactions: release after completion, and verification before the
 * commit.
 */
@NullMarked
package io.quorlock.transaction;

import org.jspecify.annotations.NullMarked;
