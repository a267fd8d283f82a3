@NullMarked
package io.quorlock.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
