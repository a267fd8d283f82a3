package io.quorlock.simulation;

/**
 * A deliberate defect: one place in one source file, written differently.
 *
 * @param name what is wrong, in words
 * @param rule the rule that it breaks
 * @param file the source file, in {@code io.quorlock.core} or in this package
 * @param original the code as it stands, exactly once in the file
 * @param replacement the code with the defect
 */
record Mutant(String name, String rule, String file, String original, String replacement) {

	String mutate(String source) {
		int at = source.indexOf(this.original);
		if (at < 0 || source.indexOf(this.original, at + 1) >= 0) {
			throw new IllegalStateException("Mutant '%s' does not fit: '%s' must be in %s exactly once"
				.formatted(this.name, this.original, this.file));
		}
		return source.replace(this.original, this.replacement);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
