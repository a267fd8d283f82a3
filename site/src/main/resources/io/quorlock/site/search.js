"use strict";

// Ranks the sections of all pages: headings before titles, titles before examples, and these before the text.
window.siteSearch = (() => {
	const STOP = new Set(("a an and are as at be by can do does for from how i in is it my of on or the this to use using "
		+ "what when where which who why with").split(" "));

	/** The words that matter; all of them if none does. */
	function termsOf(query) {
		const words = query.toLowerCase().split(/[\s?!,;]+/).filter(Boolean);
		const terms = words.filter((word) => !STOP.has(word));
		return terms.length > 0 ? terms : words;
	}

	/** Without the endings of English plurals and participles, which differ between a question and a heading. */
	function stem(word) {
		return /^[a-z]{4,}$/.test(word) ? word.replace(/(?:ing|ed|es|s)$/, "") : word;
	}

	const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}\p{N}@_.-]+/u).filter(Boolean);

	/** How well a short text is about a term: 1 if it says nothing else, less if it says more, 0 if it does not say it. */
	function about(text, term) {
		const words = wordsOf(text);
		const stemmed = stem(term);
		if (words.some((word) => stem(word) === stemmed)) {
			return (1 + 1 / words.filter((word) => !STOP.has(word)).length) / 2;
		}
		// Substrings, not words: Chinese is written without spaces.
		return text.toLowerCase().includes(term) ? .3 : 0;
	}

	function inText(text, term) {
		const hits = text.toLowerCase().split(stem(term)).length - 1;
		return Math.min(3, hits);
	}

	function points(entry, terms) {
		let sum = 0;
		for (const term of terms) {
			const found = 40 * about(entry.section, term) + 20 * about(entry.page, term)
				+ 25 * about(entry.annotations, term) + inText(entry.text, term);
			if (found === 0) {
				return 0;
			}
			sum += found;
		}
		return /(?:^|\/)CHANGELOG/.test(entry.url) ? sum / 3 : sum; // whoever searches wants to know what is, not since when
	}

	function find(entries, query) {
		const terms = termsOf(query);
		return entries.map((entry) => ({ entry, points: points(entry, terms) }))
			.filter((hit) => hit.points > 0)
			.sort((a, b) => b.points - a.points)
			.map(({ entry }) => entry);
	}

	/** A part of the text around the first of the terms. */
	function excerpt(text, query) {
		const lower = text.toLowerCase();
		const places = termsOf(query).map((term) => lower.indexOf(stem(term))).filter((at) => at >= 0);
		const hit = Math.max(0, Math.min(...places, lower.length) - 40);
		const at = places.length === 0 ? 0 : hit;
		return `${at > 0 ? "…" : ""}${text.slice(at, at + 120)}${at + 120 < text.length ? "…" : ""}`;
	}

	return { find, excerpt };
})();
