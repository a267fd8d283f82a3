package io.quorlock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A horizontal bar chart as SVG, on a logarithmic scale, since the subjects differ by a
 * factor of up to a thousand.
 */
final class BarChart {

	private static final int LABELS = 270;

	private static final int WIDTH = 820;

	private static final int BAR = 18;

	private static final int TOP = 48;

	private final String title;

	private final List<Bar> bars = new ArrayList<>();

	BarChart(String title) {
		this.title = title;
	}

	void add(String label, double value, String color) {
		if (value > 0) {
			this.bars.add(new Bar(label, value, color));
		}
	}

	String svg() {
		double least = this.bars.stream().mapToDouble(Bar::value).min().orElse(1);
		double most = this.bars.stream().mapToDouble(Bar::value).max().orElse(10);
		double from = Math.floor(Math.log10(least));
		double to = Math.max(Math.ceil(Math.log10(most)), from + 1);
		int height = TOP + this.bars.size() * (BAR + 6) + 12;
		StringBuilder svg = new StringBuilder();
		svg.append(format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
				+ "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
				+ "fill=\"#ffffff\"/>\n<text x=\"12\" y=\"20\" font-size=\"14\" font-weight=\"bold\">%s</text>\n",
				WIDTH, height, WIDTH, height, this.title));
		for (int power = (int) from; power <= to; power++) {
			double x = x(Math.pow(10, power), from, to);
			svg.append(format(
					"<line x1=\"%.0f\" y1=\"%d\" x2=\"%.0f\" y2=\"%d\" stroke=\"#d0d7de\"/>"
							+ "<text x=\"%.0f\" y=\"%d\" fill=\"#57606a\" text-anchor=\"middle\">%s</text>\n",
					x, TOP - 6, x, height - 8, x, TOP - 10,
					MarkdownTable.number(Math.pow(10, power)).replace(".00", "")));
		}
		for (int i = 0; i < this.bars.size(); i++) {
			svg.append(bar(this.bars.get(i), TOP + i * (BAR + 6), from, to));
		}
		return svg.append("</svg>\n").toString();
	}

	private static String bar(Bar bar, int y, double from, double to) {
		double end = x(bar.value, from, to);
		return format(
				"<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
						+ "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
						+ "<text x=\"%.1f\" y=\"%d\" fill=\"#24292f\">%s</text>\n",
				LABELS - 8, y + BAR - 5, bar.label, LABELS, y, end - LABELS, BAR, bar.color, end + 5, y + BAR - 5,
				MarkdownTable.number(bar.value));
	}

	private static double x(double value, double from, double to) {
		return LABELS + (Math.log10(value) - from) / (to - from) * (WIDTH - LABELS - 70);
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

	private record Bar(String label, double value, String color) {

	}

}
