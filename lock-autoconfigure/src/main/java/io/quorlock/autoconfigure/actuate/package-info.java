/**
 * Auto-configuration for the locks endpoint and the info contributor.
 */
@NullMarked
package io.quorlock.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
