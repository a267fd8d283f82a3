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

package io.quorlock.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.quorlock.benchmarks.subject.CrowdVariant;

/**
 * What the study of crowds measures.
 *
 * @param instances how many instances want one lock
 * @param works for how many milliseconds each holds it
 * @param variants the locks
 */
record CrowdPlan(List<Integer> instances, List<Integer> works, List<CrowdVariant> variants) {

	private static final String INSTANCES = "--instances";

	private static final String WORK = "--work";

	private static final String VARIANTS = "--variants";

	static CrowdPlan of(Map<String, String> options, boolean quick) {
		String variants = options.get(VARIANTS);
		return new CrowdPlan(numbers(options.getOrDefault(INSTANCES, quick ? "5,40,100" : "2,5,10,20,40,100")),
				numbers(options.getOrDefault(WORK, "1,50")), (variants != null)
						? split(variants).stream().map(CrowdVariant::of).toList() : List.of(CrowdVariant.values()));
	}

	List<String> arguments() {
		return List.of(INSTANCES, join(this.instances), WORK, join(this.works), VARIANTS,
				join(this.variants.stream().map(CrowdVariant::id).toList()));
	}

	private static List<Integer> numbers(String text) {
		return split(text).stream().map(Integer::valueOf).toList();
	}

	private static List<String> split(String text) {
		return Arrays.asList(text.split(","));
	}

	private static String join(List<?> values) {
		return values.stream().map(String::valueOf).collect(Collectors.joining(","));
	}

}
