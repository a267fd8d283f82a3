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

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

import org.jspecify.annotations.Nullable;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Finds keys whose types show that their text is not that of their value. What the types
 * leave open, such as an interface, is looked at when the method is called.
 */
final class LockKeyTypes {

	private final Map<String, ResolvableType> variables;

	/**
	 * Create the check.
	 * @param variables the types of the variables
	 */
	LockKeyTypes(Map<String, ResolvableType> variables) {
		this.variables = variables;
	}

	/**
	 * Return why an expression cannot be a key.
	 * @param key the expression, parsed
	 * @return the reason with the path to the culprit, or {@code null}
	 */
	@Nullable String refusal(SpelNode key) {
		String refusal = ofKey(key);
		return (refusal != null) ? refusal : ofOperands(key);
	}

	private @Nullable String ofKey(SpelNode node) {
		String refusal = null;
		if (node instanceof Ternary || node instanceof Elvis) {
			for (int i = (node instanceof Ternary) ? 1 : 0; i < node.getChildCount() && refusal == null; i++) {
				refusal = ofKey(node.getChild(i));
			}
		}
		else if (node instanceof InlineList) {
			for (int i = 0; i < node.getChildCount() && refusal == null; i++) {
				refusal = ofText(node.getChild(i));
			}
		}
		else {
			ResolvableType type = type(node, ResolvableType.NONE);
			ResolvableType element = element(type);
			refusal = (element != null) ? ofText(element, node.toStringAST() + "[]", new HashSet<>()) : ofText(node);
		}
		return refusal;
	}

	/** What is concatenated is part of the key. */
	private @Nullable String ofOperands(SpelNode node) {
		String refusal = null;
		for (int i = 0; i < node.getChildCount() && refusal == null; i++) {
			SpelNode child = node.getChild(i);
			refusal = (node instanceof OpPlus) ? ofText(child) : null;
			refusal = (refusal != null) ? refusal : ofOperands(child);
		}
		return refusal;
	}

	private @Nullable String ofText(SpelNode node) {
		return ofText(type(node, ResolvableType.NONE), node.toStringAST(), new HashSet<>());
	}

	private static @Nullable String ofText(ResolvableType type, String path, Set<Class<?>> seen) {
		Class<?> resolved = type.resolve(Object.class);
		if (resolved.isArray()) {
			return "%s is a %s, whose text is not that of its elements".formatted(path, resolved.getSimpleName());
		}
		if (resolved == Optional.class) {
			return ofText(type.getGeneric(), path, seen);
		}
		boolean concrete = !Modifier.isAbstract(resolved.getModifiers());
		if (Map.class.isAssignableFrom(resolved)) {
			if (concrete && !SortedMap.class.isAssignableFrom(resolved) && resolved != EnumMap.class) {
				return "%s is a %s, whose text depends on the order of its entries".formatted(path,
						resolved.getSimpleName());
			}
			String refusal = ofText(type.asMap().getGeneric(0), path + " (a key of it)", seen);
			return (refusal != null) ? refusal : ofText(type.asMap().getGeneric(1), path + "[]", seen);
		}
		ResolvableType element = element(type);
		if (element != null) {
			boolean ordered = !Set.class.isAssignableFrom(resolved) || SortedSet.class.isAssignableFrom(resolved)
					|| EnumSet.class.isAssignableFrom(resolved);
			return (concrete && !ordered) ? "%s is a %s, whose text depends on the order of its elements"
				.formatted(path, resolved.getSimpleName()) : ofText(element, path + "[]", seen);
		}
		if (resolved.isRecord()) {
			return (seen.add(resolved) && hasGeneratedText(resolved)) ? ofComponents(type, resolved, path, seen) : null;
		}
		return (concrete && resolved != Object.class && isWithoutText(resolved))
				? "%s is a %s, which has no toString() of its own: every JVM would lock another name".formatted(path,
						resolved.getTypeName())
				: null;
	}

	private static @Nullable String ofComponents(ResolvableType type, Class<?> resolved, String path,
			Set<Class<?>> seen) {
		for (Field field : resolved.getDeclaredFields()) {
			if (!Modifier.isStatic(field.getModifiers())) {
				String refusal = ofText(ResolvableType.forField(field, type), path + "." + field.getName(), seen);
				if (refusal != null) {
					return refusal;
				}
			}
		}
		return null;
	}

	private static boolean isWithoutText(Class<?> type) {
		Method toString = ReflectionUtils.findMethod(type, "toString");
		return !type.isPrimitive() && toString != null && toString.getDeclaringClass() == Object.class;
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
			for (int i = 0; i < node.getChildCount(); i++) {
				type = type(node.getChild(i), type);
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

	/** Only its code shows whether a record has a text of its own. */
	private static boolean hasGeneratedText(Class<?> type) {
		try (InputStream code = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			TextVisitor visitor = new TextVisitor();
			if (code != null) {
				new ClassReader(code).accept(visitor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
			return visitor.generated;
		}
		catch (IOException | RuntimeException ex) {
			return false; // Then the value is looked at.
		}
	}

	private static final class TextVisitor extends ClassVisitor {

		private boolean generated;

		TextVisitor() {
			super(SpringAsmInfo.ASM_VERSION);
		}

		@Override
		public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
				@Nullable String signature, String @Nullable [] exceptions) {
			return (name + descriptor).equals("toString()Ljava/lang/String;") ? new MethodVisitor(this.api) {

				@Override
				public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap,
						Object... arguments) {
					TextVisitor.this.generated |= bootstrap.getOwner().equals("java/lang/runtime/ObjectMethods");
				}

			} : null;
		}

	}

}
