package io.quorlock.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Ends what a test method simulated, since the next one may have the same context.
 */
class ResetLocksTestExecutionListener extends AbstractTestExecutionListener {

	@Override
	public void afterTestMethod(TestContext testContext) {
		if (testContext.hasApplicationContext()) {
			testContext.getApplicationContext().getBeanProvider(LockSimulator.class).ifAvailable(LockSimulator::reset);
		}
	}

}
