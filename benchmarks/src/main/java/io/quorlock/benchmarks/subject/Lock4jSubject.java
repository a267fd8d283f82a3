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

package io.quorlock.benchmarks.subject;

import java.util.List;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Lock4j over RedisTemplate, with its default pause of 100 ms between attempts.
 */
final class Lock4jSubject implements LockSubject {

	private final RedisConnectionFactory connections;

	private final LockTemplate template = new LockTemplate();

	Lock4jSubject(RedisConnectionFactory connections) throws Exception {
		this.connections = connections;
		Lock4jProperties properties = new Lock4jProperties();
		this.template.setProperties(properties);
		this.template
			.setExecutors(List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(connections), properties)));
		this.template.afterPropertiesSet();
	}

	@Override
	public Hold lock(String name) {
		LockInfo lock = this.template.lock(name, LEASE_MILLIS, LEASE_MILLIS);
		if (lock == null) {
			throw new IllegalStateException("Not acquired: " + name);
		}
		return () -> this.template.releaseLock(lock);
	}

	@Override
	public void close() {
		Drivers.close(this.connections);
	}

}
