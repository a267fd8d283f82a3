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

package io.quorlock.simulation.queue;

/**
 * What a node replies to an acquire.
 *
 * @param granted whether the key is the attempt's now
 * @param fence the fence that the node stores
 * @param holder the attempt whose key refused, 0 if a ticket did
 * @param rank the tickets in front of the claim's
 * @param remaining how long the holder's key can live
 * @param offers how often the node had offered the name
 */
record QueueReply(boolean granted, long fence, long holder, int rank, long remaining, long offers) {

}
