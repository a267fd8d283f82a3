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

package io.quorlock.site;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Names the headings of one page as GitHub does, so that a link to a heading works in
 * both places.
 */
final class Anchors {

	private final Map<String, Integer> used = new HashMap<>();

	String anchorOf(String heading) {
		String anchor = heading.toLowerCase(Locale.ROOT)
			.replaceAll("[^\\p{IsAlphabetic}\\p{IsDigit} _-]", "")
			.replace(' ', '-');
		int count = this.used.merge(anchor, 1, Integer::sum);
		return (count == 1) ? anchor : anchor + "-" + (count - 1);
	}

}
