/**
 * How a method runs under its lock, by the type of its result: blocking, as a stage, or
 * as a reactive pipeline, which a suspending function is as well.
 */
@NullMarked
package io.quorlock.aop.invocation;

import org.jspecify.annotations.NullMarked;
