package io.quorlock.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Ends the simulations of a test method, since the next one may use the same context.
 */
class ResetLocksTestExecutionListener extends AbstractTestExecutionListener {

	@Override
	public void afterTestMethod(TestContext testContext) {
		if (testContext.hasApplicationContext()) {
			testContext.getApplicationContext().getBeanProvider(LockSimulator.class).ifAvailable(LockSimulator::reset);
		}
	}

}
