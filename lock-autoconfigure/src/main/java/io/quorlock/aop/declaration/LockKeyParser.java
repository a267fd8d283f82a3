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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.MethodExecutor;
import org.springframework.expression.ParseException;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.ReflectiveMethodResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeConverter;

import io.quorlock.KeyText;
import io.quorlock.LockKeyException;

/**
 * Parses key expressions, and refuses at startup those that cannot work.
 */
final class LockKeyParser {

	private static final String PART = "A part of the key";

	private final SpelExpressionParser parser = new SpelExpressionParser();

	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	LockKeyParser(BeanFactory beanFactory) {
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
		this.shared.setTypeConverter(new Texts());
		this.shared.setMethodResolvers(new ArrayList<>(List.of(new TextMethods())));
	}

	/**
	 * Parse an expression.
	 * @param expression the expression
	 * @param declaration the method whose arguments it sees
	 * @param ofOneName why the lock cannot have several names, or {@code null} if it can
	 * @return the key
	 * @throws InvalidLockDeclarationException if the expression cannot work
	 */
	LockKey parse(String expression, LockDeclaration declaration, @Nullable String ofOneName) {
		SpelExpression parsed = parseExpression(expression, declaration);
		LockKeyCheck check = new LockKeyCheck(expression, declaration);
		check.check(parsed.getAST());
		if (ofOneName != null) {
			check.checkOneName(parsed.getAST(), ofOneName);
		}
		return new LockKeyExpression(parsed, declaration.method(), declaration.location(), this.shared);
	}

	private SpelExpression parseExpression(String expression, LockDeclaration declaration) {
		declaration.require(!expression.isBlank(), "key", expression,
				"it is blank. Leave it out to lock the name without a key",
				"Remove the attribute, or write an expression such as key = \"#id\".");
		try {
			return this.parser.parseRaw(expression);
		}
		catch (ParseException | IllegalStateException ex) {
			throw declaration.refused("key", expression, "it is no SpEL expression: " + ex.getMessage(),
					"Correct the expression. A parameter is written #id, a literal 'text' in single quotes.", ex);
		}
	}

	/** What an expression concatenates is part of the key. */
	private static final class Texts extends StandardTypeConverter {

		@Override
		public boolean canConvert(@Nullable TypeDescriptor source, TypeDescriptor target) {
			return target.getType() == String.class || super.canConvert(source, target);
		}

		@Override
		public @Nullable Object convertValue(@Nullable Object value, @Nullable TypeDescriptor source,
				TypeDescriptor target) {
			if (target.getType() != String.class || value == null) {
				return super.convertValue(value, source, target);
			}
			if (!value.getClass().isArray()) {
				KeyText.check(value, PART);
			}
			return super.canConvert(source, target) ? super.convertValue(value, source, target) : value.toString();
		}

	}

	/** What a method makes a text or a hash of is part of the key, too. */
	private static final class TextMethods extends ReflectiveMethodResolver {

		/** Static methods of the JDK that take what they make a hash code of. */
		private static final Set<String> HASHES = Set.of("hashCode", "hash", "deepHashCode", "identityHashCode");

		@Override
		public @Nullable MethodExecutor resolve(EvaluationContext context, Object target, String name,
				List<TypeDescriptor> argumentTypes) throws AccessException {
			MethodExecutor executor = super.resolve(context, target, name, argumentTypes);
			return (executor != null) ? (evaluation, object, arguments) -> {
				TypedValue result = executor.execute(evaluation, object, arguments);
				Class<?> type = (object instanceof Class<?> of) ? of : object.getClass();
				boolean ofJdk = type.getClassLoader() == null;
				if (result.getValue() instanceof CharSequence text) {
					check(object, text.toString(), false, name.equals("toString"));
					Arrays.stream(arguments)
						.forEach((each) -> check(each, text.toString(), type == String.class, ofJdk));
				}
				else if (arguments.length == 0 && name.equals("hashCode")) {
					checkHash(List.of(object));
				}
				else if (arguments.length > 0 && ofJdk && HASHES.contains(name)) {
					checkHash((type == Arrays.class) ? elements(arguments[0]) : Arrays.asList(arguments));
				}
				return result;
			} : null;
		}

		private static void check(@Nullable Object part, String text, boolean shown, boolean ofJdk) {
			boolean container = part instanceof Collection || part instanceof Map || part instanceof Record;
			boolean looked = container || (ofJdk && part != null && !part.getClass().isArray());
			if (looked && ((shown && container) || text.contains(KeyText.shown(part)))) {
				KeyText.check(part, PART);
			}
		}

		private static List<?> elements(@Nullable Object array) {
			return (array instanceof Object[] elements) ? Arrays.asList(elements) : List.of();
		}

		/**
		 * Only the values of the JDK are known to have the same hash code in every JVM.
		 */
		private static void checkHash(List<?> parts) {
			for (Object part : parts) {
				if (part != null && (!(part instanceof Comparable) || part instanceof Enum
						|| part.getClass().getClassLoader() != null)) {
					throw new LockKeyException(
							"%s is the hash code of a %s, which may be another in every JVM. Use the hash code of its text"
								.formatted(PART, part.getClass().getTypeName()));
				}
			}
		}

	}

	/**
	 * A key written as SpEL expression.
	 */
	record LockKeyExpression(SpelExpression expression, Method method, String location,
			StandardEvaluationContext shared) implements LockKey {

		@Override
		public @Nullable Object of(@Nullable Object target, @Nullable Object[] arguments) {
			MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(
					new Root(this.method, target, arguments), this.method, arguments,
					DefaultParameterNameDiscoverer.getSharedInstance());
			this.shared.applyDelegatesTo(context);
			try {
				return this.expression.getValue(context);
			}
			catch (LockKeyException ex) {
				throw refused(ex, context);
			}
			catch (EvaluationException ex) {
				if (NestedExceptionUtils.getRootCause(ex) instanceof LockKeyException refusal) {
					throw refused(refusal, context);
				}
				throw new LockKeyException("Lock key '%s' of %s cannot be computed: %s"
					.formatted(this.expression.getExpressionString(), this.location, ex.getMessage()), ex);
			}
		}

		private LockKeyException refused(LockKeyException failure, EvaluationContext context) {
			return new LockKeyException(this + ": " + reason(failure, new ExpressionState(context)), failure);
		}

		/** Find out which operand of a concatenation it was. */
		private @Nullable String reason(LockKeyException failure, ExpressionState state) {
			try {
				checkOperands(this.expression.getAST(), state);
			}
			catch (LockKeyException ex) {
				return ex.getMessage();
			}
			return failure.getMessage();
		}

		private static void checkOperands(SpelNode node, ExpressionState state) {
			for (int i = 0; i < node.getChildCount(); i++) {
				SpelNode child = node.getChild(i);
				if (!(child instanceof OpPlus) && node instanceof OpPlus) {
					KeyText.check(child.getValue(state), child.toStringAST());
				}
				checkOperands(child, state);
			}
		}

		@Override
		public String path() {
			return this.expression.getExpressionString();
		}

		@Override
		public String toString() {
			return "Lock key '%s' of %s".formatted(this.expression.getExpressionString(), this.location);
		}

		/**
		 * What an expression sees as {@code #root}.
		 */
		record Root(Method method, @Nullable Object target, @Nullable Object[] args) {

			public Method getMethod() {
				return this.method;
			}

			public @Nullable Object getTarget() {
				return this.target;
			}

			public @Nullable Object[] getArgs() {
				return this.args;
			}

		}

	}

}
