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
 * What every Redis driver of the engine shares: the scripts, how commands become calls of
 * them and how their replies are read, the addresses of nodes, what a server reports
 * about itself, and what its errors mean.
 */
@Api(Api.Status.INTERNAL)
@NullMarked
package io.quorlock.redis;

import org.jspecify.annotations.NullMarked;

import io.quorlock.Api;
