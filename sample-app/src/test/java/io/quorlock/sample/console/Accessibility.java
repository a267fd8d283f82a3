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

package io.quorlock.sample.console;

/**
 * Scripts that look for what some people could not use.
 */
final class Accessibility {

	/** Text below the 4.5 to 1 that WCAG 2.2 AA wants, of controls that are enabled. */
	static final String LOW_CONTRAST = """
			const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
			const channels = (colour) => {
				pen.clearRect(0, 0, 1, 1);
				pen.fillStyle = colour;
				pen.fillRect(0, 0, 1, 1);
				return pen.getImageData(0, 0, 1, 1).data;
			};
			const luminance = (colour) => [...channels(colour)].slice(0, 3)
				.map((one) => one / 255)
				.map((one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
				.reduce((sum, one, index) => sum + one * [.2126, .7152, .0722][index], 0);
			const background = (element) => {
				for (let at = element; at; at = at.parentElement) {
					const colour = getComputedStyle(at).backgroundColor;
					if (channels(colour)[3] === 255) {
						return colour;
					}
				}
				return 'white';
			};
			const contrast = (element) => {
				const [dark, light] = [getComputedStyle(element).color, background(element)]
					.map(luminance).sort((a, b) => a - b);
				return (light + .05) / (dark + .05);
			};
			const shown = (element) => element.checkVisibility() && !element.closest(':disabled, svg, canvas, option, .skip');
			return [...document.querySelectorAll('body *')]
				.filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
				.filter(shown)
				.filter((element) => contrast(element) < 4.5)
				.map((element) => `${element.textContent}: ${contrast(element).toFixed(1)}`);
			""";

	/** Controls that a screen reader could not name. */
	static final String NAMELESS_CONTROLS = """
			return [...document.querySelectorAll('button, select, input, [role=img], section')]
				.filter((element) => !element.textContent.trim() || element.matches('select, input, section'))
				.filter((element) => !element.getAttribute('aria-label') && !element.getAttribute('aria-labelledby')
					&& !element.closest('label'))
				.map((element) => element.outerHTML);
			""";

	/** How far the page is wider than the screen, in pixels. */
	static final String OVERFLOW = """
			const { scrollWidth, clientWidth } = document.documentElement;
			return scrollWidth - clientWidth;
			""";

	private Accessibility() {
	}

}
