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

import org.jspecify.annotations.Nullable;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.support.StandardEvaluationContext;

import io.quorlock.KeyText;
import io.quorlock.LockKeyException;

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
	static final class Root {

		private final Method method;

		private final @Nullable Object target;

		private final @Nullable Object[] args;

		Root(Method method, @Nullable Object target, @Nullable Object[] args) {
			this.method = method;
			this.target = target;
			this.args = args;
		}

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
