@NullMarked
package io.quorlock.autoconfigure.leader;

import org.jspecify.annotations.NullMarked;
