package io.quorlock.engine;

import java.lang.reflect.Proxy;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.store.Grant;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RequestsToRelease}.
 */
class RequestsToReleaseTests {

	@Test
	void storeThatPassesNoRequestsOnSaysSoEachTime() {
		Grant grant = (Grant) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Grant.class },
				(proxy, method, arguments) -> {
					throw new UnsupportedOperationException("no requests");
				});
		RequestsToRelease requests = new RequestsToRelease(grant, List::of, () -> {
		});
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(requests::listen);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(requests::listen);
	}

}
