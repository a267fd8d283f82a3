package io.quorlock.sample.watch;

import java.io.Serial;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;

import io.quorlock.sample.shop.Seller;

/**
 * Puts an interceptor around {@link Seller#sell}, at a chosen place among the others.
 */
final class VisitAdvisor extends StaticMethodMatcherPointcutAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	VisitAdvisor(int order, MethodInterceptor interceptor) {
		super(interceptor);
		setOrder(order);
		setClassFilter(Seller.class::isAssignableFrom);
	}

	@Override
	public boolean matches(Method method, @Nullable Class<?> targetClass) {
		return method.getName().equals("sell");
	}

}
