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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.quorlock.site.SequenceDiagram.End;
import io.quorlock.site.SequenceDiagram.Message;
import io.quorlock.site.SequenceDiagram.Note;
import io.quorlock.site.SequenceDiagram.Step;
import io.quorlock.site.SequenceDiagram.Together;

/**
 * Where everything of a sequence diagram is. Colours come from the stylesheet.
 */
final class SequenceDrawing {

	private static final double CHARACTER = 6.3;

	private static final int LINE = 15;

	private static final int MARGIN = 12;

	private static final int GAP = 96;

	private static final int WRAP = 26;

	private static final int WRAP_NAME = 11;

	private final Map<String, String> participants;

	private final List<Step> steps;

	private final Map<String, Double> columns = new LinkedHashMap<>();

	private final double width;

	private final StringBuilder lines = new StringBuilder();

	private final StringBuilder behind = new StringBuilder();

	private double y;

	private double togetherFrom;

	SequenceDrawing(Map<String, String> participants, List<Step> steps) {
		this.participants = participants;
		this.steps = steps;
		List<String> names = List.copyOf(participants.keySet());
		double x = MARGIN + GAP / 2.0;
		for (int i = 0; i < names.size(); i++) {
			x += (i > 0) ? gap(names.get(i - 1), names.get(i)) : 0;
			this.columns.put(names.get(i), x);
		}
		this.width = x + GAP / 2.0 + MARGIN;
	}

	/** Wide enough for the longest line of a message between two neighbours. */
	private double gap(String left, String right) {
		return this.steps.stream()
			.filter(Message.class::isInstance)
			.map(Message.class::cast)
			.filter((message) -> message.from().equals(left) && message.to().equals(right)
					|| message.from().equals(right) && message.to().equals(left))
			.flatMap((message) -> wrap(message.text(), WRAP).stream())
			.mapToDouble((line) -> line.length() * CHARACTER + 24)
			.reduce(GAP, Math::max);
	}

	String svg() {
		int head = MARGIN + 2 * LINE + 12;
		this.y = head + 14;
		this.steps.forEach(this::draw);
		double bottom = this.y + 4;
		StringBuilder svg = new StringBuilder(format("""
				<div class="diagram" tabindex="0"><svg viewBox="0 0 %.0f %.0f" width="%.0f" role="img" aria-label="%s">
				<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" \
				orient="auto-start-reverse"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>
				""", this.width, bottom + MARGIN, this.width, escape("Sequence of " + spoken())));
		svg.append(this.behind);
		this.columns.forEach((name, x) -> {
			svg.append(format("<line class=\"life\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\"/>%n", x, head, x,
					bottom));
			svg.append(box("who", x, MARGIN, GAP - 12, head - MARGIN));
			svg.append(text(wrap(this.participants.getOrDefault(name, name), WRAP_NAME), x,
					MARGIN + (head - MARGIN) / 2.0));
		});
		return svg.append(this.lines).append("</svg></div>\n").toString();
	}

	private String spoken() {
		return String.join("; ",
				this.steps.stream()
					.filter(Message.class::isInstance)
					.map(Message.class::cast)
					.map((message) -> this.participants.get(message.from()) + " to "
							+ this.participants.get(message.to()) + ": " + message.text())
					.toList());
	}

	private void draw(Step step) {
		if (step instanceof Message message) {
			drawMessage(message);
		}
		else if (step instanceof Note note) {
			drawNote(note);
		}
		else if (step instanceof Together together) {
			this.togetherFrom = this.y;
			this.lines.append(format("<text class=\"together\" x=\"%d\" y=\"%.1f\">%s</text>%n", MARGIN + 10,
					this.y + 17, escape(together.text())));
			this.y += 24;
		}
		else if (step instanceof End) {
			this.behind.append(box("together", this.width / 2, this.togetherFrom, this.width - 2 * MARGIN,
					this.y - this.togetherFrom + 4));
			this.y += 14;
		}
	}

	private void drawMessage(Message message) {
		double from = x(message.from());
		double to = x(message.to());
		boolean neighbours = this.columns.values()
			.stream()
			.noneMatch((x) -> x > Math.min(from, to) && x < Math.max(from, to));
		List<String> text = neighbours ? wrap(message.text(), WRAP) : List.of(message.text());
		this.y += 6 + text.size() * LINE;
		this.lines.append(text(text, neighbours ? (from + to) / 2 : beside(from, to, message.text()),
				this.y - 5 - (text.size() * LINE) / 2.0));
		this.lines.append(format("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
				message.reply() ? "message reply" : "message", from, this.y, to, this.y));
		this.y += 8;
	}

	/**
	 * The text of a long arrow is where it begins, or where it ends if that is further
	 * left.
	 */
	private static double beside(double from, double to, String text) {
		return Math.min(from, to) + text.length() * CHARACTER / 2 + 10;
	}

	private void drawNote(Note note) {
		double from = x(note.from());
		double to = x(note.to());
		double centre = (from + to) / 2;
		List<String> text = wrap(note.text(), (to > from) ? (int) ((to - from) / CHARACTER) : WRAP + 4);
		double wide = Math.max(to - from + 40,
				text.stream().mapToDouble((line) -> line.length() * CHARACTER).max().orElse(0) + 20);
		double high = text.size() * LINE + 10;
		this.lines.append(box("note", centre, this.y + 4, wide, high));
		this.lines.append(text(text, centre, this.y + 4 + high / 2));
		this.y += high + 14;
	}

	private double x(String participant) {
		return this.columns.getOrDefault(participant, 0.0);
	}

	private static String box(String type, double centre, double top, double width, double height) {
		return format("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\"/>%n", type,
				centre - width / 2, top, width, height);
	}

	private static String text(List<String> lines, double x, double middle) {
		StringBuilder text = new StringBuilder();
		double first = middle - (lines.size() - 1) * LINE / 2.0 + 4;
		for (int i = 0; i < lines.size(); i++) {
			text.append(format("<text x=\"%.1f\" y=\"%.1f\">%s</text>%n", x, first + i * LINE, escape(lines.get(i))));
		}
		return text.toString();
	}

	private static List<String> wrap(String text, int most) {
		List<String> lines = new ArrayList<>();
		StringBuilder line = new StringBuilder();
		for (String word : text.split(" ")) {
			if (line.length() > 0 && line.length() + 1 + word.length() > most) {
				lines.add(line.toString());
				line.setLength(0);
			}
			line.append((line.length() > 0) ? " " : "").append(word);
		}
		lines.add(line.toString());
		return lines;
	}

	private static String escape(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

}
