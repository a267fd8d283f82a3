/**
 * Public API of Quorlock: the template, the handle, the request, the context, the
 * exceptions and the events.
 */
@NullMarked
package io.quorlock;

import org.jspecify.annotations.NullMarked;
