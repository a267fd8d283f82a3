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

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Refuses key expressions that would fail at every call: an unknown variable, an argument
 * without its {@code #}, a {@link Map}, bytes, or types without a text of their value.
 * What the types leave open, such as an interface, is looked at when the method is
 * called.
 *
 * @param expression the expression
 * @param declaration the method whose arguments it sees
 * @param variables the variables that it sees, with their types where known
 */
record LockKeyCheck(String expression, LockDeclaration declaration, Map<String, ResolvableType> variables) {

	private static final Set<String> ROOT_PROPERTIES = Set.of("method", "target", "args");

	private static final Set<String> ROOT_METHODS = Set.of("getMethod", "getTarget", "getArgs");

	LockKeyCheck(String expression, LockDeclaration declaration) {
		this(expression, declaration, variables(declaration.method()));
	}

	/**
	 * Check an expression.
	 * @param key the expression, parsed
	 * @throws InvalidLockDeclarationException if it would fail at every call
	 */
	void check(SpelNode key) {
		Class<?> type = typeOfVariable(key);
		if (key instanceof InlineMap || (type != null && Map.class.isAssignableFrom(type))) {
			throw refused("it is a Map, whose text depends on the order of its entries. Use what identifies it",
					"Use an entry that identifies the lock, such as key = \"#map['id']\".");
		}
		if (type == byte[].class || type == char[].class) {
			String text = (type == byte[].class) ? "T(java.util.HexFormat).of().formatHex" : "T(String).valueOf";
			throw refused(
					"it is a %s, each of whose elements would be a name of its own".formatted(type.getSimpleName()),
					"Use its text: key = \"%s(%s)\".".formatted(text, this.expression));
		}
		checkNames(key, true, true);
		checkKey(key);
		checkOperands(key);
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
	 * Check the names in a node and those below it.
	 * @param node the node
	 * @param onRoot whether its names are looked up on {@code #root}
	 * @param scopeOnRoot whether those of its arguments are
	 */
	private void checkNames(SpelNode node, boolean onRoot, boolean scopeOnRoot) {
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
				checkNames(child, false, false);
			}
			else if (node instanceof MethodReference || node instanceof FunctionReference) {
				checkNames(child, scopeOnRoot, scopeOnRoot);
			}
			else {
				boolean onPrevious = node instanceof Indexer || (node instanceof CompoundExpression && i > 0);
				checkNames(child, onRoot && !onPrevious, scopeOnRoot);
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

	private void checkKey(SpelNode node) {
		if (node instanceof Ternary || node instanceof Elvis) {
			children(node).stream().skip((node instanceof Ternary) ? 1 : 0).forEach(this::checkKey);
			return;
		}
		ResolvableType element = element(type(node, ResolvableType.NONE));
		if (node instanceof InlineList) {
			children(node).forEach(this::checkText);
		}
		else if (element != null) {
			checkText(element, node.toStringAST() + "[]", new HashSet<>());
		}
		else {
			checkText(node);
		}
	}

	/** What is concatenated is part of the key. */
	private void checkOperands(SpelNode node) {
		for (SpelNode child : children(node)) {
			if (node instanceof OpPlus) {
				checkText(child);
			}
			checkOperands(child);
		}
	}

	private void checkText(SpelNode node) {
		checkText(type(node, ResolvableType.NONE), node.toStringAST(), new HashSet<>());
	}

	private void checkText(ResolvableType type, String path, Set<Class<?>> seen) {
		Class<?> resolved = type.resolve(Object.class);
		boolean concrete = !Modifier.isAbstract(resolved.getModifiers());
		ResolvableType element = element(type);
		if (resolved.isArray()) {
			throw withoutText(path, resolved.getSimpleName(), "whose text is not that of its elements");
		}
		if (resolved == Optional.class) {
			checkText(type.getGeneric(), path, seen);
		}
		else if (Map.class.isAssignableFrom(resolved)) {
			if (concrete && !SortedMap.class.isAssignableFrom(resolved) && resolved != EnumMap.class) {
				throw withoutText(path, resolved.getSimpleName(), "whose text depends on the order of its entries");
			}
			checkText(type.asMap().getGeneric(0), path + " (a key of it)", seen);
			checkText(type.asMap().getGeneric(1), path + "[]", seen);
		}
		else if (element != null) {
			boolean ordered = !Set.class.isAssignableFrom(resolved) || SortedSet.class.isAssignableFrom(resolved);
			if (concrete && !ordered) {
				throw withoutText(path, resolved.getSimpleName(), "whose text depends on the order of its elements");
			}
			checkText(element, path + "[]", seen);
		}
		else if (resolved.isRecord()) {
			if (seen.add(resolved) && Modifier.isFinal(toStringOf(resolved).getModifiers())) {
				checkComponents(type, resolved, path, seen);
			}
		}
		else if (concrete && resolved != Object.class && toStringOf(resolved).getDeclaringClass() == Object.class) {
			throw withoutText(path, resolved.getTypeName(),
					"which has no toString() of its own: every JVM would lock another name");
		}
	}

	/** Of a record without a text of its own: that of the compiler is final. */
	private void checkComponents(ResolvableType type, Class<?> resolved, String path, Set<Class<?>> seen) {
		for (Field field : resolved.getDeclaredFields()) {
			if (!Modifier.isStatic(field.getModifiers())) {
				checkText(ResolvableType.forField(field, type), path + "." + field.getName(), seen);
			}
		}
	}

	private static Method toStringOf(Class<?> type) {
		return Objects.requireNonNull(ReflectionUtils.findMethod(type, "toString"));
	}

	private InvalidLockDeclarationException withoutText(String path, String type, String reason) {
		return refused("%s is a %s, %s".formatted(path, type, reason),
				"Use what identifies it, such as its id, or give the type a toString() of its own.");
	}

	private InvalidLockDeclarationException refused(String reason, String action) {
		return this.declaration.refused("key", this.expression, reason, action, null);
	}

	private static List<SpelNode> children(SpelNode node) {
		return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild).toList();
	}

	/** Return the type of the elements, {@code null} if there are none. */
	private static @Nullable ResolvableType element(ResolvableType type) {
		if (type.isArray()) {
			return type.getComponentType();
		}
		return Collection.class.isAssignableFrom(type.resolve(Object.class)) ? type.asCollection().getGeneric() : null;
	}

	/** Return the type of an expression, as far as it is known. */
	private ResolvableType type(SpelNode node, ResolvableType root) {
		if (node instanceof VariableReference) {
			return this.variables.getOrDefault(node.toStringAST(), ResolvableType.NONE);
		}
		Class<?> resolved = root.resolve();
		ResolvableType element = element(root);
		if (node instanceof CompoundExpression) {
			ResolvableType type = root;
			for (SpelNode child : children(node)) {
				type = type(child, type);
			}
			return type;
		}
		if (resolved == null) {
			return ResolvableType.NONE;
		}
		if (node instanceof PropertyOrFieldReference property) {
			return property(root, resolved, property.getName());
		}
		if (node instanceof MethodReference method && node.getChildCount() == 0) {
			return result(root, ReflectionUtils.findMethod(resolved, method.getName()));
		}
		if (node instanceof Indexer) {
			return (element != null) ? element : root.asMap().getGeneric(1);
		}
		if (node instanceof Selection) {
			return (node.toStringAST().startsWith("?[") || element == null) ? root : element;
		}
		return (node instanceof Projection && element != null)
				? ResolvableType.forClassWithGenerics(List.class, type(node.getChild(0), element))
				: ResolvableType.NONE;
	}

	private static ResolvableType property(ResolvableType type, Class<?> resolved, String name) {
		Method accessor = resolved.isRecord() ? ReflectionUtils.findMethod(resolved, name) : null;
		for (String prefix : List.of("get", "is")) {
			accessor = (accessor != null) ? accessor
					: ReflectionUtils.findMethod(resolved, prefix + StringUtils.capitalize(name));
		}
		if (accessor != null) {
			return result(type, accessor);
		}
		Field field = ReflectionUtils.findField(resolved, name);
		return (field != null) ? ResolvableType.forField(field, type) : ResolvableType.NONE;
	}

	private static ResolvableType result(ResolvableType type, @Nullable Method method) {
		return (method != null) ? ResolvableType.forType(method.getGenericReturnType(), type) : ResolvableType.NONE;
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
