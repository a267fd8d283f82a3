/**
 * Support for Docker Compose: services become lock nodes.
 */
@NullMarked
package io.quorlock.docker.compose;

import org.jspecify.annotations.NullMarked;
