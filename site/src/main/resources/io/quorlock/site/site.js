"use strict";

(() => {
	const root = document.documentElement.dataset.root;
	const language = document.documentElement.lang;
	const input = document.getElementById("search");
	const results = document.getElementById("results");
	const narrow = window.matchMedia("(max-width: 48rem)");

	if (narrow.matches) {
		document.querySelector("nav details").open = false;
	}

	let loading;

	function index() {
		loading ??= new Promise((resolve, reject) => {
			const script = document.createElement("script");
			script.src = `${root}assets/search-index.js`;
			script.onload = () => resolve(window.searchIndex.filter((entry) => entry.language === language));
			script.onerror = reject;
			document.head.append(script);
		});
		return loading;
	}

	// Substrings, not words: Chinese is written without spaces.
	function score(entry, terms) {
		let sum = 0;
		for (const term of terms) {
			const hit = [["section", 10], ["page", 4], ["text", 1]]
				.filter(([field]) => entry[field].toLowerCase().includes(term))
				.reduce((points, [, weight]) => points + weight, 0);
			if (hit === 0) {
				return 0;
			}
			sum += hit;
		}
		return sum;
	}

	function excerpt(text, term) {
		const at = Math.max(0, text.toLowerCase().indexOf(term) - 40);
		return `${at > 0 ? "…" : ""}${text.slice(at, at + 120)}…`;
	}

	function show(entry, term) {
		const item = document.createElement("li");
		const link = document.createElement("a");
		const where = document.createElement("small");
		link.href = root + entry.url;
		link.textContent = entry.section === entry.page ? entry.page : `${entry.page} › ${entry.section}`;
		where.textContent = excerpt(entry.text, term);
		link.append(where);
		item.append(link);
		return item;
	}

	async function search() {
		const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		if (terms.length === 0) {
			results.hidden = true;
			return;
		}
		const found = (await index())
			.map((entry) => ({ entry, points: score(entry, terms) }))
			.filter(({ points }) => points > 0)
			.sort((a, b) => b.points - a.points)
			.slice(0, 20);
		results.replaceChildren(...found.map(({ entry }) => show(entry, terms[0])));
		results.hidden = found.length === 0;
	}

	input.addEventListener("input", search);
	input.form.addEventListener("submit", (event) => {
		event.preventDefault();
		results.querySelector("a")?.click();
	});
	results.addEventListener("click", () => {
		results.hidden = true;
	});
	document.addEventListener("keydown", (event) => {
		if (event.key === "/" && document.activeElement !== input) {
			event.preventDefault();
			input.focus();
		}
		else if (event.key === "Escape") {
			results.hidden = true;
		}
	});
})();
