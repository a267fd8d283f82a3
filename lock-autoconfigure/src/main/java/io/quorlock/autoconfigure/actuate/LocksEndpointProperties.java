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

package io.quorlock.autoconfigure.actuate;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the endpoint {@code locks}.
 *
 * @param showValues When to show the names of locks with their keys.
 * @param roles Roles used to determine whether a user is authorized to be shown the names
 * of locks. When empty, all authenticated users are authorized.
 * @since 0.1.0
 */
@ConfigurationProperties("management.endpoint.locks")
public record LocksEndpointProperties(@DefaultValue("always") Show showValues, @DefaultValue Set<String> roles) {

}
