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

/**
 * Properties of the redis backend.
 *
 * @since 0.1.0
 */
public class LockRedisProperties {

	/**
	 * Number of replicas that must confirm a lock.
	 */
	private int waitReplicas = 0;

	/**
	 * Time that the replicas may take to confirm.
	 */
	private Duration waitTimeout = Duration.ofSeconds(1);

	/**
	 * Whether a failover forgets no confirmed write, as with a replicated log: there is
	 * no warning about failovers then.
	 */
	private boolean durable = false;

	public boolean isDurable() {
		return this.durable;
	}

	public void setDurable(boolean durable) {
		this.durable = durable;
	}

	public int getWaitReplicas() {
		return this.waitReplicas;
	}

	public void setWaitReplicas(int waitReplicas) {
		this.waitReplicas = waitReplicas;
	}

	public Duration getWaitTimeout() {
		return this.waitTimeout;
	}

	public void setWaitTimeout(Duration waitTimeout) {
		this.waitTimeout = waitTimeout;
	}

}
