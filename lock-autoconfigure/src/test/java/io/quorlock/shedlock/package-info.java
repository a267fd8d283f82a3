@NullMarked
package io.quorlock.shedlock;

import org.jspecify.annotations.NullMarked;
