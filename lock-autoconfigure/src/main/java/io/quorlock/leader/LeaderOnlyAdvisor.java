package io.quorlock.leader;

import java.io.Serial;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.aopalliance.aop.Advice;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.util.function.SingletonSupplier;

/**
 * Applies the {@link LeaderOnlyInterceptor} to methods that are annotated with
 * {@link LeaderOnly @LeaderOnly}. Its bean definition has to have
 * {@code ROLE_INFRASTRUCTURE}.
 *
 * @since 0.1.0
 */
public class LeaderOnlyAdvisor extends AbstractPointcutAdvisor {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Pointcut pointcut;

	private final transient Advice advice;

	/**
	 * Create a new advisor.
	 * @param placeholders resolves placeholders in roles
	 * @param election knows who leads; resolved when the first annotated bean is created
	 * @param order the order among other advisors
	 */
	public LeaderOnlyAdvisor(UnaryOperator<String> placeholders, Supplier<LeaderElection> election, int order) {
		Supplier<LeaderElection> single = SingletonSupplier.of(election);
		LeaderOnlyMethods methods = new LeaderOnlyMethods(placeholders, single);
		this.pointcut = methods;
		this.advice = new LeaderOnlyInterceptor(methods, single);
		setOrder(order);
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
