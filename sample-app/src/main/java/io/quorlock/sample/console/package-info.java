/**
 * The page that shows locks and nodes.
 */
@NullMarked
package io.quorlock.sample.console;

import org.jspecify.annotations.NullMarked;
