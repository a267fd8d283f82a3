package io.quorlock.benchmarks;

import java.util.Arrays;
import java.util.List;

/**
 * The main program of a fork.
 */
final class ForkMain {

	private ForkMain() {
	}

	public static void main(String[] args) throws Exception {
		List<String> arguments = Arrays.asList(args);
		ForkTask task = ForkTask.parse(arguments);
		Plan plan = Plan.parse(arguments.subList(ForkTask.ARGUMENTS, arguments.size()));
		Benchmarks.study(task.study()).measure(plan, task);
		// Some subjects leave threads running.
		System.exit(0);
	}

}
