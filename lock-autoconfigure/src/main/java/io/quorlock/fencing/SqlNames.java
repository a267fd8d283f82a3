package io.quorlock.fencing;

import java.util.regex.Pattern;

import org.springframework.util.Assert;

/** Checks names of tables and columns, which become part of a statement. */
final class SqlNames {

	private static final Pattern NAME = Pattern.compile("[\\p{Alpha}_][\\w$]*(\\.[\\p{Alpha}_][\\w$]*)*");

	private SqlNames() {
	}

	static String check(String name) {
		Assert.isTrue(NAME.matcher(name).matches(), () -> "'" + name + "' is no name of a table or a column");
		return name;
	}

}
