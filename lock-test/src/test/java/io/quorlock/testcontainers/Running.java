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

package io.quorlock.testcontainers;

import org.testcontainers.containers.GenericContainer;

import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doNothing;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.spy;

/**
 * Makes containers without Docker.
 */
final class Running {

	private Running() {
	}

	/** As if the container ran on this machine, with one of its ports mapped. */
	static <C extends GenericContainer<?>> C on(int mapped, int original, C container) {
		C running = spy(container);
		doNothing().when(running).start();
		doNothing().when(running).stop();
		doReturn("127.0.0.1").when(running).getHost();
		doThrow(new IllegalArgumentException("port")).when(running).getMappedPort(anyInt());
		doReturn(mapped).when(running).getMappedPort(original);
		return running;
	}

}
