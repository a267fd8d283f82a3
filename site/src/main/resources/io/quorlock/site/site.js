"use strict";

(() => {
	const MOST = 12;
	const root = document.documentElement.dataset.root;
	const language = document.documentElement.lang;
	const input = document.getElementById("search");
	const results = document.getElementById("results");
	const menu = document.getElementById("menu");
	const navigation = document.getElementById("navigation");

	// ---- search

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

	function item(entry, query) {
		const created = document.createElement("li");
		const link = document.createElement("a");
		const page = document.createElement("small");
		const text = document.createElement("small");
		link.href = root + entry.url;
		link.append(entry.section);
		if (entry.section !== entry.page) {
			page.className = "page";
			page.textContent = entry.page;
			link.append(page);
		}
		text.textContent = window.siteSearch.excerpt(entry.text, query);
		link.append(text);
		created.append(link);
		return created;
	}

	function show(visible) {
		results.hidden = !visible;
		input.setAttribute("aria-expanded", String(visible));
	}

	async function search() {
		const query = input.value.trim();
		if (query === "") {
			show(false);
			return;
		}
		const found = window.siteSearch.find(await index(), query).slice(0, MOST);
		if (query !== input.value.trim()) {
			return; // typed on while the index was being loaded
		}
		results.replaceChildren(...found.map((entry) => item(entry, query)));
		if (found.length === 0) {
			const nothing = document.createElement("li");
			nothing.textContent = results.dataset.nothing;
			results.append(nothing);
		}
		show(true);
	}

	function move(event, step) {
		const links = [input, ...results.querySelectorAll("a")];
		const next = links[links.indexOf(document.activeElement) + step];
		if (!results.hidden && next) {
			event.preventDefault();
			next.focus();
		}
	}

	input.addEventListener("input", search);
	input.form.addEventListener("submit", (event) => {
		event.preventDefault();
		results.querySelector("a")?.click();
	});
	input.form.addEventListener("keydown", (event) => {
		if (event.key === "ArrowDown" || event.key === "ArrowUp") {
			move(event, event.key === "ArrowDown" ? 1 : -1);
		}
	});
	results.addEventListener("click", () => show(false));
	document.addEventListener("click", (event) => {
		if (!input.form.contains(event.target)) {
			show(false);
		}
	});

	// ---- the menu of narrow screens

	function open(visible) {
		menu.setAttribute("aria-expanded", String(visible));
		document.body.classList.toggle("menu", visible);
		if (visible) {
			navigation.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
		}
	}

	menu.addEventListener("click", () => open(menu.getAttribute("aria-expanded") === "false"));
	navigation.addEventListener("click", (event) => {
		if (event.target.closest("a")) {
			open(false);
		}
	});
	document.documentElement.classList.add("scripted");

	// ---- keys

	document.addEventListener("keydown", (event) => {
		if (event.key === "/" && document.activeElement !== input) {
			event.preventDefault();
			input.focus();
		}
		else if (event.key === "Escape") {
			if (document.body.classList.contains("menu")) {
				open(false);
				menu.focus();
			}
			show(false);
		}
	});
})();
