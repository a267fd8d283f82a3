/**
 * Renders the pages of the repository as a site.
 */
@NullMarked
package io.quorlock.site;

import org.jspecify.annotations.NullMarked;
