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

import java.util.List;

/**
 * A rendered page.
 *
 * @param source where it comes from
 * @param title the text of its first heading
 * @param html the body
 * @param sections the headings, each with the text below it
 */
record Page(Source source, String title, String html, List<Section> sections) {

	/**
	 * A heading and the text up to the next one.
	 *
	 * @param anchor the id of the heading
	 * @param title the text of the heading
	 * @param text what follows, without markup
	 * @param annotations those in examples, separated by spaces
	 */
	record Section(String anchor, String title, String text, String annotations) {

	}

}
