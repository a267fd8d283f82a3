/**
 * Auto-configuration of the endpoint and the info contributor of locks.
 */
@NullMarked
package io.quorlock.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
