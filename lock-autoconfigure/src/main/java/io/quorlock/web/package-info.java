/**
 * Problem details for exceptions of locks in web applications.
 */
@NullMarked
package io.quorlock.web;

import org.jspecify.annotations.NullMarked;
