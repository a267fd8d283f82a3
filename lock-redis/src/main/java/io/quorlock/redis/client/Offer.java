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

package io.quorlock.redis.client;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What became of commands that were offered.
 *
 * @param refusal why they were not taken, or {@code null} if they were
 * @param toWrite what the offering thread has to write; unless it is empty, it has to
 * call {@link CommandQueue#written()} then
 */
record Offer(@Nullable String refusal, List<PendingCommand> toWrite) {

	static final Offer QUEUED = new Offer(null, List.of());

}
