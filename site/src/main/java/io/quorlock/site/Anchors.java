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
