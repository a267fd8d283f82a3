/**
 * Tests of the endpoint.
 */
@NullMarked
package io.quorlock.actuate;

import org.jspecify.annotations.NullMarked;
