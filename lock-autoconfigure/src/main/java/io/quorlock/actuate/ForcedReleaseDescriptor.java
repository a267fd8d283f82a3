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

package io.quorlock.actuate;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The result of a forced release.
 *
 * @param name the lock
 * @param released whether something was held or cooled down, and a majority of the nodes
 * confirmed
 * @param previousOwner the owner that held it on a majority of the nodes just before
 * @param failures the nodes that did not confirm
 * @since 0.1.0
 */
public record ForcedReleaseDescriptor(String name, boolean released, @Nullable String previousOwner,
		List<FailureDescriptor> failures) implements OperationResponseBody {

	/**
	 * A node that did not confirm.
	 *
	 * @param name the node's address
	 * @param error what went wrong
	 */
	public record FailureDescriptor(String name, String error) {
	}

}
