/**
 * Auto-configuration for Spring Integration.
 */
@NullMarked
package io.quorlock.autoconfigure.integration;

import org.jspecify.annotations.NullMarked;
