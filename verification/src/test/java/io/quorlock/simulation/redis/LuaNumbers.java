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

package io.quorlock.simulation.redis;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.OneArgFunction;
import org.luaj.vm2.lib.VarArgFunction;

/**
 * Numbers as C and Lua 5.1 treat them, where the interpreter differs from them.
 */
final class LuaNumbers {

	private static final double EXACT_AS_TEXT = 1e17;

	private LuaNumbers() {
	}

	/** The text of a number that a script hands to Redis: {@code %.17g}. */
	static LuaString text(LuaNumber number) {
		return LuaString.valueOf(text(number.todouble()));
	}

	static String text(double number) {
		if (number == Math.rint(number) && Math.abs(number) < EXACT_AS_TEXT) {
			return Long.toString((long) number);
		}
		if (Double.isNaN(number)) {
			return "nan";
		}
		if (Double.isInfinite(number)) {
			return (number > 0) ? "inf" : "-inf";
		}
		BigDecimal rounded = new BigDecimal(number).round(new MathContext(17)).stripTrailingZeros();
		int exponent = rounded.precision() - rounded.scale() - 1;
		if (exponent >= -4 && exponent < 17) {
			return rounded.toPlainString();
		}
		BigDecimal mantissa = rounded.movePointLeft(exponent).stripTrailingZeros();
		return "%se%s%02d".formatted(mantissa.toPlainString(), (exponent < 0) ? "-" : "+", Math.abs(exponent));
	}

	/** {@code tonumber}: what {@code strtod} accepts, {@code nan} and {@code inf} too. */
	static final class ToNumber extends OneArgFunction {

		@Override
		public LuaValue call(LuaValue value) {
			if (value instanceof LuaNumber) {
				return value;
			}
			if (!(value instanceof LuaString text)) {
				return NIL;
			}
			LuaValue number = text.tonumber();
			return number.isnil() ? special(text.tojstring().strip()) : number;
		}

		private static LuaValue special(String text) {
			boolean negative = text.startsWith("-");
			String magnitude = (negative || text.startsWith("+")) ? text.substring(1) : text;
			if (magnitude.equalsIgnoreCase("nan")) {
				return valueOf(Double.NaN);
			}
			if (magnitude.equalsIgnoreCase("inf") || magnitude.equalsIgnoreCase("infinity")) {
				return valueOf(negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
			}
			return NIL;
		}

	}

	/** {@code string.format} with {@code %s}, {@code %d} and {@code %.nf}. */
	static final class Format extends VarArgFunction {

		@Override
		public Varargs invoke(Varargs args) {
			Object[] values = new Object[args.narg() - 1];
			for (int i = 0; i < values.length; i++) {
				LuaValue value = args.arg(i + 2);
				values[i] = value.isnumber() ? new BigDecimal(value.todouble()) : value.tojstring();
			}
			return valueOf(String.format(Locale.ROOT, args.checkjstring(1), values));
		}

	}

	/** {@code math.max}, which keeps what it has when it compares with NaN. */
	static final class Max extends VarArgFunction {

		@Override
		public Varargs invoke(Varargs args) {
			double greatest = args.checkdouble(1);
			for (int i = 2; i <= args.narg(); i++) {
				double next = args.checkdouble(i);
				greatest = (next > greatest) ? next : greatest;
			}
			return valueOf(greatest);
		}

	}

	/** {@code math.min}. */
	static final class Min extends VarArgFunction {

		@Override
		public Varargs invoke(Varargs args) {
			double min = args.checkdouble(1);
			for (int i = 2; i <= args.narg(); i++) {
				double next = args.checkdouble(i);
				min = (next < min) ? next : min;
			}
			return valueOf(min);
		}

	}

}
