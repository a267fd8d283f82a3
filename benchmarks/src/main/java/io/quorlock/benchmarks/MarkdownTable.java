package io.quorlock.benchmarks;

import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;

/**
 * A table in Markdown: text in the first column, numbers in the others.
 */
final class MarkdownTable {

	private final StringBuilder text = new StringBuilder();

	MarkdownTable(String... columns) {
		row(columns);
		this.text.append("|---|")
			.append(String.join("", Collections.nCopies(columns.length - 1, "---:|")))
			.append('\n');
	}

	MarkdownTable row(String... cells) {
		this.text.append("| ").append(String.join(" | ", cells)).append(" |\n");
		return this;
	}

	MarkdownTable row(String title, double... values) {
		return row(java.util.stream.Stream
			.concat(java.util.stream.Stream.of(title), Arrays.stream(values).mapToObj(MarkdownTable::number))
			.toArray(String[]::new));
	}

	static String number(double value) {
		if (Double.isNaN(value)) {
			return "–";
		}
		String format = (Math.abs(value) >= 100) ? "%,.0f" : (Math.abs(value) >= 10) ? "%.1f" : "%.2f";
		return String.format(Locale.ROOT, format, value);
	}

	@Override
	public String toString() {
		return this.text.toString();
	}

}
