/**
 * Auto-configuration for distributed locks.
 */
@NullMarked
package io.quorlock.autoconfigure;

import org.jspecify.annotations.NullMarked;
