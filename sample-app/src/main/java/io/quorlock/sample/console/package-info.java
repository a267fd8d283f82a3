/**
 * The page that shows locks and nodes while they work.
 */
@NullMarked
package io.quorlock.sample.console;

import org.jspecify.annotations.NullMarked;
