package io.quorlock.leader;

import java.io.Serial;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.aopalliance.aop.Advice;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.function.SingletonSupplier;

/**
 * Applies the {@link LeaderOnlyInterceptor} to methods that are annotated with
 * {@link LeaderOnly @LeaderOnly}. Its bean definition has to have
 * {@code ROLE_INFRASTRUCTURE}.
 *
 * @since 0.1.0
 */
public class LeaderOnlyAdvisor extends AbstractPointcutAdvisor implements SmartInitializingSingleton {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Pointcut pointcut;

	private final transient Advice advice;

	private final transient LeaderOnlyMethods methods;

	/**
	 * Create a new advisor.
	 * @param placeholders resolves placeholders in roles
	 * @param election knows the leaders; resolved when the roles of annotated methods are
	 * checked
	 * @param order the order among other advisors
	 */
	public LeaderOnlyAdvisor(UnaryOperator<String> placeholders, Supplier<LeaderElection> election, int order) {
		Supplier<LeaderElection> single = SingletonSupplier.of(election);
		this.methods = new LeaderOnlyMethods(placeholders, single);
		this.pointcut = this.methods;
		this.advice = new LeaderOnlyInterceptor(this.methods, single);
		setOrder(order);
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.methods.start();
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return this.advice;
	}

}
