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

package io.quorlock.aop.declaration;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Refuses key expressions that would fail at every call: an unknown variable, an argument
 * without its {@code #}, a {@link Map}, bytes, or types without a text of their value.
 */
final class LockKeyCheck {

	private static final Set<String> ROOT_PROPERTIES = Set.of("method", "target", "args");

	private static final Set<String> ROOT_METHODS = Set.of("getMethod", "getTarget", "getArgs");

	private final String expression;

	private final String location;

	private final Map<String, ResolvableType> variables;

	LockKeyCheck(String expression, Method method, String location) {
		this.expression = expression;
		this.location = location;
		this.variables = variables(method);
	}

	/**
	 * Check an expression.
	 * @param node the expression, parsed
	 * @throws InvalidLockDeclarationException if it would fail at every call
	 */
	void check(SpelNode node) {
		Class<?> type = typeOfVariable(node);
		if (node instanceof InlineMap || (type != null && Map.class.isAssignableFrom(type))) {
			throw refused("it is a Map, whose text depends on the order of its entries. Use what identifies it",
					"Use an entry that identifies the lock, such as key = \"#map['id']\".");
		}
		if (type == byte[].class || type == char[].class) {
			String text = (type == byte[].class) ? "T(java.util.HexFormat).of().formatHex" : "T(String).valueOf";
			throw refused(
					"it is a %s, each of whose elements would be a name of its own".formatted(type.getSimpleName()),
					"Use its text: key = \"%s(%s)\".".formatted(text, this.expression));
		}
		check(node, true, true);
		String refusal = new LockKeyTypes(this.variables).refusal(node);
		if (refusal != null) {
			throw refused(refusal, "Use what identifies it, such as its id, or give the type a toString() of its own.");
		}
	}

	/**
	 * Check that an expression does not stand for several names, as far as its form and
	 * the types of the parameters show.
	 * @param node the expression, parsed
	 * @param reason why the lock cannot have several names
	 * @throws InvalidLockDeclarationException if it is a collection or an array
	 */
	void checkOneName(SpelNode node, String reason) {
		if (isSeveral(node)) {
			throw refused("it stands for several names, which a lock with %s cannot have".formatted(reason),
					"Use an expression for one value, or remove %s.".formatted(reason));
		}
	}

	private boolean isSeveral(SpelNode node) {
		if (node instanceof CompoundExpression) {
			return isSeveral(node.getChild(node.getChildCount() - 1));
		}
		if (node instanceof VariableReference) {
			Class<?> type = typeOfVariable(node);
			return type != null && (type.isArray() || Collection.class.isAssignableFrom(type));
		}
		return node instanceof Projection || node instanceof InlineList
				|| (node instanceof Selection && node.toStringAST().startsWith("?["));
	}

	private @Nullable Class<?> typeOfVariable(SpelNode node) {
		return (node instanceof VariableReference)
				? this.variables.getOrDefault(node.toStringAST(), ResolvableType.NONE).resolve() : null;
	}

	/**
	 * Check a node and those below it.
	 * @param node the node
	 * @param onRoot whether its names are looked up on {@code #root}
	 * @param scopeOnRoot whether those of its arguments are
	 */
	private void check(SpelNode node, boolean onRoot, boolean scopeOnRoot) {
		if (node instanceof VariableReference || node instanceof FunctionReference) {
			checkVariable(node.toStringAST());
		}
		else if (onRoot && node instanceof PropertyOrFieldReference property) {
			checkRoot(property.getName(), ROOT_PROPERTIES);
		}
		else if (onRoot && node instanceof MethodReference method) {
			checkRoot(method.getName(), ROOT_METHODS);
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			SpelNode child = node.getChild(i);
			if (node instanceof Projection || node instanceof Selection || node instanceof InlineMap) {
				check(child, false, false);
			}
			else if (node instanceof MethodReference || node instanceof FunctionReference) {
				check(child, scopeOnRoot, scopeOnRoot);
			}
			else {
				boolean onPrevious = node instanceof Indexer || (node instanceof CompoundExpression && i > 0);
				check(child, onRoot && !onPrevious, scopeOnRoot);
			}
		}
	}

	private void checkVariable(String variable) {
		String name = variable.replaceFirst("\\(.*", "");
		if (!this.variables.containsKey(name)) {
			throw refused(
					"%s is none of %s. Parameter names are known only in classes compiled with -parameters"
						.formatted(name, this.variables.keySet()),
					"Use one of the variables above, or compile the class with -parameters (the Spring Boot plugins do).");
		}
	}

	private void checkRoot(String name, Set<String> known) {
		if (!known.contains(name)) {
			String reason = "%s is neither a variable nor a property of #root".formatted(name);
			String action = "Write %s. Parameters begin with #, and a constant key is a literal in single quotes.";
			if (!this.variables.containsKey("#" + name)) {
				throw refused(reason + ". An expression sees " + this.variables.keySet() + " and beans as @name",
						action.formatted("one of the variables above"));
			}
			boolean first = this.expression.startsWith(name);
			String meant = "#" + (first ? this.expression : name);
			throw refused(reason + "; did you mean `%s`?".formatted(meant),
					action.formatted(first ? "key = \"" + meant + "\"" : meant + " in its place"));
		}
	}

	private InvalidLockDeclarationException refused(String reason, String action) {
		return new InvalidLockDeclarationException(this.location, "key", this.expression, reason, action, null);
	}

	/** Return the variables that an expression sees, with their types where known. */
	private static Map<String, ResolvableType> variables(Method method) {
		Map<String, ResolvableType> variables = new LinkedHashMap<>();
		int count = method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
		@Nullable String @Nullable [] names = DefaultParameterNameDiscoverer.getSharedInstance().getParameterNames(method);
		if (names != null) {
			for (int i = 0; i < Math.min(count, names.length); i++) {
				variables.put("#" + names[i], ResolvableType.forMethodParameter(method, i));
			}
		}
		for (int i = 0; i < count; i++) {
			variables.put("#a" + i, ResolvableType.forMethodParameter(method, i));
			variables.put("#p" + i, ResolvableType.forMethodParameter(method, i));
		}
		Arrays.asList("#root", "#this").forEach((name) -> variables.put(name, ResolvableType.NONE));
		return variables;
	}

}
