/**
 * Several stores that share the names among each other (R23). Each name has its place in
 * one of them, found by rendezvous hashing.
 */
@NullMarked
package io.quorlock.groups;

import org.jspecify.annotations.NullMarked;
