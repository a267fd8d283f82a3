/**
 * Auto-configuration of answers to exceptions of locks.
 */
@NullMarked
package io.quorlock.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
