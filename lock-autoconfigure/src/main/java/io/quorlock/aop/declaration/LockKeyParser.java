package io.quorlock.aop.declaration;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Parses key expressions, and finds at start what would be null at every call: a variable
 * that is no parameter of the method.
 */
final class LockKeyParser {

	private final SpelExpressionParser parser = new SpelExpressionParser();

	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	LockKeyParser(BeanFactory beanFactory) {
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
	}

	LockKey parse(String expression, Method method, String location) {
		SpelExpression parsed = parseExpression(expression, location);
		checkVariables(parsed.getAST(), expression, method, location);
		return new LockKeyExpression(parsed, method, location, this.shared);
	}

	private SpelExpression parseExpression(String expression, String location) {
		try {
			return this.parser.parseRaw(expression);
		}
		catch (ParseException | IllegalStateException ex) {
			throw new InvalidLockDeclarationException(location, "key", expression,
					"it is no SpEL expression: " + ex.getMessage(), ex);
		}
	}

	private static void checkVariables(SpelNode node, String expression, Method method, String location) {
		if (node instanceof VariableReference || node instanceof FunctionReference) {
			String variable = node.toStringAST();
			Set<String> known = variables(method);
			if (!known.contains(variable)) {
				throw new InvalidLockDeclarationException(location, "key", expression,
						"%s is none of %s. Parameter names are known only to classes compiled with -parameters"
							.formatted(variable, known),
						null);
			}
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			checkVariables(node.getChild(i), expression, method, location);
		}
	}

	private static Set<String> variables(Method method) {
		Set<String> variables = new LinkedHashSet<>();
		@Nullable String @Nullable [] names = DefaultParameterNameDiscoverer.getSharedInstance().getParameterNames(method);
		if (names != null) {
			Arrays.stream(names).filter((name) -> name != null).forEach((name) -> variables.add("#" + name));
		}
		int count = method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
		for (int i = 0; i < count; i++) {
			variables.add("#a" + i);
			variables.add("#p" + i);
		}
		variables.add("#root");
		variables.add("#this");
		return variables;
	}

}
