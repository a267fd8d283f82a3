/**
 * Auto-configuration for problem details of lock exceptions.
 */
@NullMarked
package io.quorlock.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
