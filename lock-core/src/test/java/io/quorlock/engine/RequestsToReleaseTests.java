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

package io.quorlock.engine;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import io.quorlock.store.FakeGrant;
import io.quorlock.store.FakeLeaseStore;
import io.quorlock.store.Grant;
import io.quorlock.store.TestClaim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.then;

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

	/** A holder that leaves at once must not hand the lease over. */
	@Test
	void leaseIsKnownToBeWantedBeforeItsHoldersAreTold() {
		FakeGrant grant = new FakeLeaseStore().newGrant(TestClaim.of("order").at(0));
		List<String> order = new ArrayList<>();
		new RequestsToRelease(grant, () -> {
			order.add("holders");
			return List.of();
		}, () -> order.add("wanted")).listen();
		grant.requestRelease(Duration.ofSeconds(1));
		assertThat(order).containsExactly("wanted", "holders");
	}

	/** Otherwise each of them would be told of one request several times. */
	@Test
	void storeIsListenedToOnceHoweverManyHoldersListen() {
		Grant grant = Mockito.mock();
		RequestsToRelease requests = new RequestsToRelease(grant, List::of, () -> {
		});
		requests.listen();
		requests.listen();
		then(grant).should().onReleaseRequested(any());
	}

}
