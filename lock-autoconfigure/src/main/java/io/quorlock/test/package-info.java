/**
 * Support for the tests of applications that use locks.
 */
@NullMarked
package io.quorlock.test;

import org.jspecify.annotations.NullMarked;
