@NullMarked
package io.quorlock.integration;

import org.jspecify.annotations.NullMarked;
