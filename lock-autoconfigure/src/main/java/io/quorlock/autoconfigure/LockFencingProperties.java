/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Properties of fencing tokens.
 *
 * @since 0.1.0
 */
public class LockFencingProperties {

	private static final Duration DEFAULT_RETENTION = Duration.ofMinutes(10);

	/**
	 * Whether locks carry fencing tokens.
	 */
	private boolean enabled = true;

	/**
	 * Time that a fence key outlives its last use.
	 */
	private Duration retention = DEFAULT_RETENTION;

	/**
	 * Least fencing token that is ever proposed. Needed where the locks were on ZooKeeper
	 * before, or on other ZooKeeper servers, whose tokens run ahead of the clock.
	 */
	private @Nullable Long floor;

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public Duration getRetention() {
		return this.retention;
	}

	public void setRetention(Duration retention) {
		this.retention = retention;
	}

	/**
	 * Return the time that a fence key outlives its last use.
	 * @param quarantine the time during which a restarted node has no vote
	 * @return the configured time; the default is raised to the quarantine
	 */
	public Duration determineRetention(Duration quarantine) {
		boolean raised = this.retention.equals(DEFAULT_RETENTION) && quarantine.compareTo(DEFAULT_RETENTION) > 0;
		return raised ? quarantine : this.retention;
	}

	public @Nullable Long getFloor() {
		return this.floor;
	}

	public void setFloor(@Nullable Long floor) {
		this.floor = floor;
	}

}
