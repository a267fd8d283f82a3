/**
 * The locks of a call in Reactor pipelines.
 */
@NullMarked
package io.quorlock.reactive;

import org.jspecify.annotations.NullMarked;
