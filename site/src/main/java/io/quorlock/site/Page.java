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
	 */
	record Section(String anchor, String title, String text) {

	}

}
