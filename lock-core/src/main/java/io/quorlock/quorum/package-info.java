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

/**
 * Redlock over a quorum of independent nodes: rounds, votes, fencing tokens, renewal,
 * releases and waiting. Classes may know those above them in this list, never below:
 * {@code QuorumSettings}, {@code Timing}, {@code Voters}, {@code Ballot},
 * {@code Standings}, {@code Messenger}, {@code NodeRequest}, {@code NodeClocks},
 * {@code FenceProposals}, {@code Renewal}, {@code RenewalSchedule}, {@code LeaseTerm},
 * {@code InstanceChannel}, {@code Quorum}, {@code NodeQuery}, {@code Release},
 * {@code AcquireDecision}, {@code RoundResult}, {@code AcquireRound}, {@code Watchdog},
 * {@code QuorumGrant}, {@code ContenderState}, {@code QuorumContender},
 * {@code QuorumStore}.
 * <p>
 * The package {@link io.quorlock.engine} says in which order locks are taken.
 */
@Api(Api.Status.INTERNAL)
@NullMarked
package io.quorlock.quorum;

import org.jspecify.annotations.NullMarked;

import io.quorlock.Api;
