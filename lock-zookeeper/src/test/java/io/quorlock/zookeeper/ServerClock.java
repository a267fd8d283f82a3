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

package io.quorlock.zookeeper;

import java.time.Duration;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;
import org.apache.zookeeper.common.Time;

/**
 * The wall clock of the servers in this JVM, which writes are stamped with. It can be set
 * as an administrator sets it; what the servers measure does not change with it.
 */
public final class ServerClock implements AutoCloseable {

	/** Read by the code that is woven into the class of the servers. */
	public static volatile long offsetMillis;

	static {
		ByteBuddyAgent.install();
		new ByteBuddy().redefine(Time.class)
			.visit(Advice.to(Offset.class).on(ElementMatchers.named("currentWallTime")))
			.make()
			.load(Time.class.getClassLoader(), ClassReloadingStrategy.fromInstalledAgent());
	}

	void set(Duration offset) {
		offsetMillis = offset.toMillis();
	}

	@Override
	public void close() {
		offsetMillis = 0;
	}

	/**
	 * Adds the offset.
	 */
	public static final class Offset {

		private Offset() {
		}

		@Advice.OnMethodExit
		static void exit(@Advice.Return(readOnly = false) long time) {
			time += offsetMillis;
		}

	}

}
