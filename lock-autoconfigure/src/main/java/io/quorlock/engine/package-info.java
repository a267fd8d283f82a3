/**
 * The lock engine: quorum rounds, leases, the watchdog and waiting. It knows neither
 * Spring nor Redis.
 */
@NullMarked
package io.quorlock.engine;

import org.jspecify.annotations.NullMarked;
