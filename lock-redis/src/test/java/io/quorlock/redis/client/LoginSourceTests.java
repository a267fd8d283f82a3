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

package io.quorlock.redis.client;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.BDDMockito;
import org.mockito.InOrder;
import org.mockito.MockedStatic;
import org.mockito.Mockito;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.redis.ServerInfo;
import io.quorlock.redis.client.RedisNodes.Housekeeper;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Login.Source} and for logging in again.
 */
@ExtendWith(LogCaptureExtension.class)
class LoginSourceTests {

	/** Such as one that borrows a connection to a vault. */
	@Test
	void providerIsToldBeforeAndAfterEachQuestion() throws NodeUnavailableException {
		RedisCredentialsProvider provider = Mockito.mock(RedisCredentialsProvider.class);
		BDDMockito.given(provider.get())
			.willReturn(new DefaultRedisCredentials("app", "secret"))
			.willThrow(new IllegalStateException());
		Login.Source source = new Login.Source(provider, NodeProbe.LONG);
		source.ask();
		InOrder order = Mockito.inOrder(provider);
		order.verify(provider).prepare();
		order.verify(provider).get();
		order.verify(provider).cleanUp();
		assertThatExceptionOfType(NodeUnavailableException.class).isThrownBy(source::ask);
		order.verify(provider).cleanUp();
	}

	@Test
	void eachFailureOfTheProviderIsWarnedOfOnce(CapturedLog output) throws NodeUnavailableException {
		RedisCredentialsProvider provider = Mockito.mock(RedisCredentialsProvider.class);
		BDDMockito.given(provider.get())
			.willThrow(new IllegalStateException())
			.willThrow(new IllegalStateException())
			.willReturn(new DefaultRedisCredentials("app", "secret"))
			.willThrow(new IllegalArgumentException())
			.willThrow(new IllegalArgumentException());
		RedisLockNode node = Mockito.mock(RedisLockNode.class);
		Login.Source source = Mockito.spy(new Login.Source(provider, NodeProbe.LONG));
		BDDMockito.willAnswer((call) -> source.ask()).given(source).askAgain();
		Housekeeper housekeeper = new Housekeeper(new TestClock(), source);
		for (int i = 0; i < 5; i++) {
			housekeeper.tick(Set.of(node));
		}
		assertThat(output).containsOnlyOnce("failed with IllegalStateException")
			.containsOnlyOnce("failed with IllegalArgumentException");
		Mockito.verify(node).login(new Login("app", "secret"));
		Mockito.verify(provider, Mockito.times(5)).cleanUp();
	}

	/** Such as in a container that has reached its limit of threads for a while. */
	@Test
	void shortageOfThreadsBlocksNeitherWhoAsksNorTheThreadThatKeepsTheNodes() throws Exception {
		RedisCredentialsProvider provider = Mockito.mock(RedisCredentialsProvider.class);
		BDDMockito.given(provider.get()).willReturn(new DefaultRedisCredentials("app", "secret"));
		Login.Source source = new Login.Source(provider, NodeProbe.LONG);
		CompletableFuture<Login> answer = new CompletableFuture<>();
		Connector.startThread(() -> {
			try (MockedStatic<Connector> threads = Mockito.mockStatic(Connector.class)) {
				threads.when(() -> Connector.startThread(Mockito.any(), Mockito.any()))
					.thenThrow(new OutOfMemoryError("unable to create native thread"));
				assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(source::askAgain);
				for (int i = 0; i < 5; i++) {
					assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(source::ask);
				}
				assertThat(source.askAgain()).as("not before it is due").isNull();
			}
			catch (Throwable ex) {
				answer.completeExceptionally(ex);
			}
			try {
				answer.complete(source.ask());
			}
			catch (NodeUnavailableException ex) {
				answer.completeExceptionally(ex);
			}
		}, "asking");
		assertThat(answer.get(NodeProbe.LONG.toMillis(), TimeUnit.MILLISECONDS)).isEqualTo(new Login("app", "secret"));
	}

	@Test
	void answerFromBeforeAStopIsNotUsedBehindIt() throws Exception {
		RedisCredentialsProvider provider = Mockito.mock(RedisCredentialsProvider.class);
		CompletableFuture<Thread> asking = new CompletableFuture<>();
		CountDownLatch ticked = new CountDownLatch(1);
		BDDMockito.given(provider.get()).willAnswer((call) -> {
			asking.complete(Thread.currentThread());
			ticked.await();
			return new DefaultRedisCredentials("app", "old");
		});
		Login.Source source = new Login.Source(provider, NodeProbe.LONG);
		RedisLockNode node = Mockito.mock(RedisLockNode.class);
		Housekeeper housekeeper = new Housekeeper(new TestClock(), source);
		housekeeper.tick(Set.of(node));
		ticked.countDown();
		asking.get(NodeProbe.LONG.toMillis(), TimeUnit.MILLISECONDS).join();
		BDDMockito.given(provider.get()).willReturn(new DefaultRedisCredentials("app", "new"));
		housekeeper.add(node);
		Mockito.verify(node, Mockito.timeout(NodeProbe.LONG.toMillis())).login(Mockito.any());
		housekeeper.remove(node);
		Mockito.verify(node).login(new Login("app", "new"));
	}

	/** There is no command that logs a connection out. */
	@Test
	void connectionKeepsItsLoginIfTheProviderHasNoCredentialsAnyMore() {
		Pipeline pipeline = Mockito.mock(Pipeline.class);
		Session session = new Session(pipeline, new Handshake.Greeting(Mockito.mock(), new Login("app", "secret"),
				new ServerInfo(""), null, OptionalLong.empty()), List.of());
		session.login(new Login(null, null), "node");
		session.login(new Login("app", "secret"), "node");
		Mockito.verifyNoInteractions(pipeline);
		session.login(new Login("app", "other"), "node");
		Mockito.verify(pipeline).submit(Mockito.any());
	}

}
