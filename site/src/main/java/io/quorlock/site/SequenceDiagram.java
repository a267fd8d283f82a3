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
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Draws the part of Mermaid's sequence diagrams that the pages use, so that the site
 * needs no script of another project. GitHub draws the same text itself.
 */
final class SequenceDiagram {

	private static final String NAME = "Mermaid";

	private static final Pattern PARTICIPANT = Pattern.compile("participant (\\w+)(?: as (.+))?");

	private static final Pattern MESSAGE = Pattern.compile("(\\w+)(--?>>)(\\w+): (.+)");

	private static final Pattern NOTE = Pattern.compile("Note over (\\w+)(?:,(\\w+))?: (.+)");

	private static final Pattern TOGETHER = Pattern.compile("par (.+)");

	private final Map<String, String> participants = new LinkedHashMap<>();

	private final List<Step> steps = new ArrayList<>();

	private SequenceDiagram() {
	}

	static boolean isOne(String info) {
		return info.strip().equalsIgnoreCase(NAME);
	}

	/**
	 * Return the diagram as SVG.
	 * @throws IllegalArgumentException if the text has something that is not drawn
	 */
	static String svg(String text) {
		SequenceDiagram diagram = new SequenceDiagram();
		List<String> lines = text.lines().map(String::strip).filter((line) -> !line.isEmpty()).toList();
		if (lines.isEmpty() || !lines.get(0).equals("sequenceDiagram")) {
			throw new IllegalArgumentException("Only sequence diagrams are drawn: " + text);
		}
		lines.subList(1, lines.size()).forEach(diagram::read);
		return new SequenceDrawing(diagram.participants, diagram.steps).svg();
	}

	private void read(String line) {
		Matcher matcher = PARTICIPANT.matcher(line);
		if (matcher.matches()) {
			String label = matcher.group(2);
			this.participants.put(matcher.group(1), (label != null) ? label : matcher.group(1));
			return;
		}
		this.steps.add(step(line));
	}

	private Step step(String line) {
		if (line.equals("end")) {
			return new End();
		}
		Matcher message = MESSAGE.matcher(line);
		if (message.matches()) {
			return new Message(known(message.group(1)), known(message.group(3)), message.group(4),
					message.group(2).startsWith("--"));
		}
		Matcher note = NOTE.matcher(line);
		if (note.matches()) {
			String first = known(note.group(1));
			return new Note(first, (note.group(2) != null) ? known(note.group(2)) : first, note.group(3));
		}
		Matcher together = TOGETHER.matcher(line);
		if (together.matches()) {
			return new Together(together.group(1));
		}
		throw new IllegalArgumentException("Not drawn in sequence diagrams: " + line);
	}

	private String known(String participant) {
		if (!this.participants.containsKey(participant)) {
			throw new IllegalArgumentException("No participant '" + participant + "'");
		}
		return participant;
	}

	/** What happens, from top to bottom. */
	sealed interface Step permits Message, Note, Together, End {

	}

	record Message(String from, String to, String text, boolean reply) implements Step {

	}

	record Note(String from, String to, String text) implements Step {

	}

	/** Begins what happens at the same time. */
	record Together(String text) implements Step {

	}

	record End() implements Step {

	}

}
