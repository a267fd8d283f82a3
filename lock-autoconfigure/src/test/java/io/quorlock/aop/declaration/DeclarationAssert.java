package io.quorlock.aop.declaration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.aop.AopConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Asserts that an application with an invalid declaration does not start.
 */
final class DeclarationAssert {

	private static final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(AopConfiguration.class)
		.withPropertyValues("wait=soon");

	private DeclarationAssert() {
	}

	static void assertThatStartFails(Class<?> beanClass, String method, @Nullable String attribute, String reason) {
		contextRunner.withBean(beanClass).run((context) -> {
			assertThat(context).hasFailed();
			Throwable failure = context.getStartupFailure();
			while (failure != null && !(failure instanceof InvalidLockDeclarationException)) {
				failure = failure.getCause();
			}
			assertThat(failure).isInstanceOfSatisfying(InvalidLockDeclarationException.class, (invalid) -> {
				assertThat(invalid.getLocation()).contains("." + method);
				assertThat(invalid.getAttribute()).isEqualTo(attribute);
				assertThat(invalid.getMessage()).contains(reason);
				assertThat(invalid.getReason()).contains(reason);
			});
		});
	}

}
