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

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

/**
 * What a connection is logged in with.
 *
 * @param user the user; the default user if there is none
 * @param password the password, or {@code null} if there is nothing to log in with
 */
record Login(@Nullable String user, @Nullable String password) {

	private static final Log logger = LogFactory.getLog(Login.class);

	private static final String DEFAULT_USER = "default";

	/** Return the command that a connection begins with. */
	byte[] hello(String clientName) {
		return (this.password == null) ? RespEncoder.command("HELLO", "3", "SETNAME", clientName)
				: RespEncoder.command("HELLO", "3", "AUTH", userOrDefault(), this.password, "SETNAME", clientName);
	}

	/** Return the command that a connection goes on with. */
	byte[] auth() {
		return RespEncoder.command("AUTH", userOrDefault(), String.valueOf(this.password));
	}

	private String userOrDefault() {
		return (this.user != null) ? this.user : DEFAULT_USER;
	}

	@Override
	public String toString() {
		return "Login[user=" + this.user + "]";
	}

	/**
	 * Asks the application's provider of credentials, on a thread of its own: it may have
	 * to ask another server, and hang, and what is built upon it must not. Who gives up
	 * waiting finds the answer later.
	 */
	static final class Source {

		/** How often the provider is asked whether its credentials changed. */
		static final Duration PERIOD = Duration.ofSeconds(5);

		/** A question that takes longer is interrupted, and asked again. */
		private static final long HUNG_NANOS = Duration.ofSeconds(10).toNanos();

		/** So many threads may ignore that. */
		private static final int MAX_THREADS = 4;

		private final RedisCredentialsProvider provider;

		private final Duration timeout;

		private final Semaphore threads = new Semaphore(MAX_THREADS);

		private @Nullable FutureTask<Login> asked;

		private long askedNanos;

		private long dueNanos = System.nanoTime();

		/**
		 * Create a source.
		 * @param timeout how long an answer may take
		 */
		Source(RedisCredentialsProvider provider, Duration timeout) {
			this.provider = provider;
			this.timeout = timeout;
		}

		/**
		 * Return what to log in with now.
		 * @throws NodeUnavailableException if the provider fails, or does not answer in
		 * time
		 */
		synchronized Login ask() throws NodeUnavailableException {
			return answer(asked(), this.timeout);
		}

		/**
		 * Ask once in a {@link #PERIOD} what to log in with. Does not wait.
		 * @return what to log in with; {@code null} if there is no new answer
		 * @throws NodeUnavailableException if the provider fails, or has not answered in
		 * time
		 */
		synchronized @Nullable Login askAgain() throws NodeUnavailableException {
			long now = System.nanoTime();
			if (now - this.dueNanos < 0) {
				return null;
			}
			this.dueNanos = now + PERIOD.toNanos();
			FutureTask<Login> asked = asked();
			if (!asked.isDone() && now - this.askedNanos < this.timeout.toNanos()) {
				this.dueNanos = now; // looks whether the answer has come
				return null;
			}
			return answer(asked, Duration.ZERO);
		}

		/** Do not use an answer that has come meanwhile: it may be an old one. */
		synchronized void forget() {
			if (this.asked != null && this.asked.isDone()) {
				this.asked = null;
			}
		}

		private Login answer(FutureTask<Login> asked, Duration wait) throws NodeUnavailableException {
			try {
				Login login = asked.get(wait.toMillis(), TimeUnit.MILLISECONDS);
				this.asked = null;
				return login;
			}
			catch (TimeoutException ex) {
				throw NodeUnavailableException
					.down("the credentials provider did not reply within %d ms".formatted(this.timeout.toMillis()));
			}
			catch (ExecutionException ex) {
				this.asked = null;
				Throwable cause = Objects.requireNonNull(ex.getCause());
				// Its message may hold a secret.
				logger.debug("A provider of credentials failed", cause);
				throw NodeUnavailableException
					.down("there are no credentials: the provider failed with " + cause.getClass().getSimpleName());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw NodeUnavailableException.down("interrupted");
			}
		}

		private FutureTask<Login> asked() {
			FutureTask<Login> asked = this.asked;
			boolean hung = asked != null && !asked.isDone() && System.nanoTime() - this.askedNanos > HUNG_NANOS;
			if (asked != null && (!hung || !this.threads.tryAcquire())) {
				return asked;
			}
			if (asked == null) {
				this.threads.acquireUninterruptibly();
			}
			FutureTask<Login> next = new FutureTask<>(this::login);
			try {
				Connector.startThread(() -> {
					next.run();
					this.threads.release();
				}, "quorlock-login");
			}
			catch (RuntimeException | Error ex) {
				// Whoever asks next must not wait for a thread that there is not.
				this.threads.release();
				throw ex;
			}
			if (asked != null) {
				asked.cancel(true);
			}
			this.askedNanos = System.nanoTime();
			this.asked = next;
			return next;
		}

		private Login login() {
			this.provider.prepare();
			try {
				RedisCredentials credentials = this.provider.get();
				return (credentials == null || credentials.getPassword() == null) ? new Login(null, null)
						: new Login(credentials.getUser(), new String(credentials.getPassword()));
			}
			finally {
				this.provider.cleanUp();
			}
		}

	}

}
