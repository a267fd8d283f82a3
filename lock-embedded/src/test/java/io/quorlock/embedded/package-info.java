@NullMarked
package io.quorlock.embedded;

import org.jspecify.annotations.NullMarked;
