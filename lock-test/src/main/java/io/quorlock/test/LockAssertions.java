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

package io.quorlock.test;

import org.assertj.core.util.CheckReturnValue;

import org.springframework.util.Assert;

import io.quorlock.LockTemplate;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.spi.DelegatingLockTemplate;

/**
 * Entry point for assertions on locks.
 *
 * @since 0.1.0
 */
public final class LockAssertions {

	private LockAssertions() {
	}

	/**
	 * Create assertions on the locks of an application.
	 * @param lockTemplate the application's template
	 * @return the assertion
	 * @throws IllegalArgumentException if the template is not one of this library
	 */
	@CheckReturnValue
	public static LocksAssert assertThatLocks(LockTemplate lockTemplate) {
		return new LocksAssert(new LockInspector(engineOf(lockTemplate)));
	}

	private static LockEngine engineOf(LockTemplate lockTemplate) {
		LockTemplate template = lockTemplate;
		while (template instanceof DelegatingLockTemplate delegating) {
			template = delegating.getDelegate();
		}
		Assert.isInstanceOf(DefaultLockTemplate.class, template, "There is no lock engine behind the template");
		return ((DefaultLockTemplate) template).engine();
	}

}
