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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A horizontal bar chart as SVG. Its axis is linear and begins at 0, so that lengths
 * compare as the figures do.
 */
final class BarChart {

	private static final int LABELS = 250;

	private static final int WIDTH = 820;

	private static final int BAR = 16;

	private static final int PITCH = 24;

	private static final int LINE = 18;

	private static final int FOR_FIGURE = 64;

	private static final int STEPS = 6;

	private static final String STYLE = """
			<style>
			text { fill: #1f2328; font: 12px system-ui, "Segoe UI", sans-serif; }
			.page { fill: #ffffff; } .title { font-size: 14px; font-weight: 600; }
			.soft { fill: #59636e; } .grid { stroke: #d1d9e0; } .figure { font-variant-numeric: tabular-nums; }
			.ours { fill: #1a7f37; } .limit { fill: #0969da; } .peer { fill: #8c959f; }
			@media (prefers-color-scheme: dark) {
			text { fill: #e6edf3; } .page { fill: #0d1117; } .soft { fill: #9198a1; } .grid { stroke: #3d444d; }
			.ours { fill: #3fb950; } .limit { fill: #4493f8; } .peer { fill: #6e7681; }
			}
			</style>
			""";

	private final String title;

	private final String[] notes;

	private final List<Bar> bars = new ArrayList<>();

	BarChart(String title, String... notes) {
		this.title = title;
		this.notes = notes;
	}

	void add(String label, double value, Kind kind) {
		if (value > 0) {
			this.bars.add(new Bar(label, value, kind));
		}
	}

	String svg() {
		double max = this.bars.stream().mapToDouble(Bar::value).max().orElse(1);
		int top = 52 + this.notes.length * LINE;
		int bottom = top + this.bars.size() * PITCH;
		int height = bottom + 8;
		StringBuilder svg = new StringBuilder();
		svg.append(format("""
				<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">
				%s<rect class="page" width="100%%" height="100%%"/>
				<text class="title" x="12" y="22">%s</text>
				""", WIDTH, height, WIDTH, height, STYLE, escape(this.title)));
		for (int i = 0; i < this.notes.length; i++) {
			svg.append(
					format("<text class=\"note\" x=\"12\" y=\"%d\">%s</text>%n", 40 + i * LINE, escape(this.notes[i])));
		}
		double step = step(max);
		for (double value = 0; value <= max; value += step) {
			double x = x(value, max);
			svg.append(format("""
					<line class="grid" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>\
					<text class="soft" x="%.1f" y="%d" text-anchor="middle">%s</text>
					""", x, top - 4, x, bottom, x, top - 9, axis(value)));
		}
		for (int i = 0; i < this.bars.size(); i++) {
			svg.append(bar(this.bars.get(i), top + i * PITCH, max));
		}
		return svg.append("</svg>\n").toString();
	}

	private static String bar(Bar bar, int y, double max) {
		double end = x(bar.value, max);
		return format("""
				<text class="label" x="%d" y="%d" text-anchor="end">%s</text>\
				<rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"/>\
				<text class="figure" x="%.1f" y="%d">%s</text>
				""", LABELS - 10, y + BAR - 3, escape(bar.label), bar.kind.name().toLowerCase(Locale.ROOT), LABELS, y,
				Math.max(1, end - LABELS), BAR, end + 6, y + BAR - 3, MarkdownTable.number(bar.value));
	}

	private static double x(double value, double max) {
		return LABELS + value / max * (WIDTH - LABELS - FOR_FIGURE);
	}

	/** 1, 2 or 5 times a power of ten, for at most six steps. */
	private static double step(double max) {
		double power = Math.pow(10, Math.floor(Math.log10(max / STEPS)));
		for (double factor : new double[] { 1, 2, 5 }) {
			if (max / (factor * power) <= STEPS) {
				return factor * power;
			}
		}
		return 10 * power;
	}

	private static String axis(double value) {
		return (value == Math.rint(value)) ? String.format(Locale.ROOT, "%,.0f", value) : String.valueOf(value);
	}

	private static String escape(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;");
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

	private record Bar(String label, double value, Kind kind) {

	}

	/** Whose figure a bar is. */
	enum Kind {

		/** This library's. */
		OURS,

		/** What the bare drivers do, which no lock exceeds. */
		LIMIT,

		/** Another library's. */
		PEER;

		static Kind of(String label) {
			if (label.startsWith("Quorlock")) {
				return OURS;
			}
			return (label.startsWith("raw ") || label.startsWith("bare ")) ? LIMIT : PEER;
		}

	}

}
