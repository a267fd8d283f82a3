/**
 * The Actuator endpoint {@code locks} and the info contributor.
 */
@NullMarked
package io.quorlock.actuate;

import org.jspecify.annotations.NullMarked;
