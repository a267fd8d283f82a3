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

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

import org.springframework.boot.thread.Threading;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Threads for user code, which may block (R15): as many as are needed, virtual ones if
 * the application has enabled them.
 */
final class CallbackThreads {

	private static final String PREFIX = "quorlock-callback-";

	private CallbackThreads() {
	}

	static ExecutorService create(Environment environment) {
		return Executors
			.newCachedThreadPool(Threading.VIRTUAL.isActive(environment) ? virtualThreads() : daemonThreads());
	}

	private static ThreadFactory virtualThreads() {
		return new VirtualThreadTaskExecutor(PREFIX).getVirtualThreadFactory();
	}

	private static ThreadFactory daemonThreads() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory(PREFIX);
		threads.setDaemon(true);
		return threads;
	}

}
