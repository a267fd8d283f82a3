package io.quorlock.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * A line chart with named points on the horizontal axis as SVG, on a logarithmic scale.
 * Each line has its label at its end.
 */
final class LineChart {

	private static final int WIDTH = 820;

	private static final int HEIGHT = 400;

	private static final int LEFT = 70;

	private static final int RIGHT = 240;

	private static final int TOP = 48;

	private static final int BOTTOM = 40;

	private static final int LINE = 16;

	private final String title;

	private final List<String> places;

	private final List<Line> lines = new ArrayList<>();

	LineChart(String title, List<String> places) {
		this.title = title;
		this.places = places;
	}

	void add(String label, double[] values, String color) {
		this.lines.add(new Line(label, values, color));
	}

	String svg() {
		double from = Math.floor(Math.log10(least()));
		double to = Math.max(Math.ceil(Math.log10(most())), from + 1);
		StringBuilder svg = new StringBuilder();
		svg.append(format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
				+ "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
				+ "fill=\"#ffffff\"/>\n<text x=\"12\" y=\"20\" font-size=\"14\" font-weight=\"bold\">%s</text>\n",
				WIDTH, HEIGHT, WIDTH, HEIGHT, this.title));
		for (int power = (int) from; power <= to; power++) {
			double y = y(Math.pow(10, power), from, to);
			svg.append(format(
					"<line x1=\"%d\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\" stroke=\"#d0d7de\"/>"
							+ "<text x=\"%d\" y=\"%.0f\" fill=\"#57606a\" text-anchor=\"end\">%s ms</text>\n",
					LEFT, y, WIDTH - RIGHT, y, LEFT - 8, y + 4,
					MarkdownTable.number(Math.pow(10, power)).replaceAll("\\.0+$", "")));
		}
		for (int place = 0; place < this.places.size(); place++) {
			svg.append(format("<text x=\"%.0f\" y=\"%d\" fill=\"#57606a\" text-anchor=\"middle\">%s</text>\n", x(place),
					HEIGHT - BOTTOM + 22, this.places.get(place)));
		}
		double labelled = -LINE;
		for (Line line : this.lines.stream().sorted(Comparator.comparingDouble(Line::last).reversed()).toList()) {
			labelled = Math.max(y(line.last(), from, to) + 4, labelled + LINE);
			svg.append(draw(line, labelled, from, to));
		}
		return svg.append("</svg>\n").toString();
	}

	private String draw(Line line, double labelY, double from, double to) {
		StringBuilder points = new StringBuilder();
		for (int place = 0; place < line.values.length; place++) {
			points.append(format("%.1f,%.1f ", x(place), y(line.values[place], from, to)));
		}
		double end = y(line.last(), from, to);
		return format(
				"<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>"
						+ "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\" stroke-dasharray=\"2 2\"/>"
						+ "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">%s</text>\n",
				points.toString().trim(), line.color, WIDTH - RIGHT, end, WIDTH - RIGHT + 26, labelY - 4, line.color,
				WIDTH - RIGHT + 30, labelY, line.color, line.label);
	}

	private double least() {
		return this.lines.stream().flatMapToDouble(Line::stream).min().orElse(1);
	}

	private double most() {
		return this.lines.stream().flatMapToDouble(Line::stream).max().orElse(10);
	}

	private double x(int place) {
		return LEFT + (WIDTH - RIGHT - LEFT) * (place / Math.max(1.0, this.places.size() - 1));
	}

	private static double y(double value, double from, double to) {
		return HEIGHT - BOTTOM - (Math.log10(value) - from) / (to - from) * (HEIGHT - BOTTOM - TOP);
	}

	private static String format(String format, Object... arguments) {
		return String.format(Locale.ROOT, format, arguments);
	}

	private record Line(String label, double[] values, String color) {

		private double last() {
			return this.values[this.values.length - 1];
		}

		private DoubleStream stream() {
			return Arrays.stream(this.values);
		}

	}

}
