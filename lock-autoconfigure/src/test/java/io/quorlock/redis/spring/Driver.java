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

package io.quorlock.redis.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;

import io.lettuce.core.ClientOptions;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The drivers that an application may have, as they are and behind a wrapper, as of a
 * library for tracing.
 */
enum Driver {

	LETTUCE, JEDIS, LEGACY_JEDIS, WRAPPED_LETTUCE, WRAPPED_JEDIS;

	boolean isWrapped() {
		return this == WRAPPED_LETTUCE || this == WRAPPED_JEDIS;
	}

	/**
	 * Connect a factory that is ready for use.
	 */
	Connections connect(RedisConfiguration configuration) {
		return (this == LETTUCE || this == WRAPPED_LETTUCE) ? start(new LettuceConnectionFactory(configuration))
				: start(jedis(configuration));
	}

	static Connections lettuce(RedisConfiguration configuration, ClientOptions options) {
		return LETTUCE.start(new LettuceConnectionFactory(configuration,
				LettuceClientConfiguration.builder().clientOptions(options).build()));
	}

	private JedisConnectionFactory jedis(RedisConfiguration configuration) {
		JedisConnectionFactory factory = newJedis(configuration);
		if (this == LEGACY_JEDIS) {
			factory.setUseUnifiedJedis(false);
		}
		return factory;
	}

	private static JedisConnectionFactory newJedis(RedisConfiguration configuration) {
		if (configuration instanceof RedisClusterConfiguration cluster) {
			return new JedisConnectionFactory(cluster);
		}
		return (configuration instanceof RedisSentinelConfiguration sentinel) ? new JedisConnectionFactory(sentinel)
				: new JedisConnectionFactory((RedisStandaloneConfiguration) configuration);
	}

	private <T extends RedisConnectionFactory & SmartLifecycle & InitializingBean & DisposableBean> Connections start(
			T factory) {
		try {
			factory.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		factory.start();
		return new Connections(isWrapped() ? wrap(factory) : factory, factory);
	}

	/** It shows nothing but the interfaces of Spring Data. */
	private static RedisConnectionFactory wrap(RedisConnectionFactory factory) {
		return proxy(RedisConnectionFactory.class, factory, (result) -> (result instanceof RedisConnection connection)
				? proxy(RedisConnection.class, connection, UnaryOperator.identity()) : result);
	}

	private static <T> T proxy(Class<T> type, T target, UnaryOperator<Object> results) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, args) -> {
				try {
					return results.apply(method.invoke(target, args));
				}
				catch (InvocationTargetException ex) {
					throw ex.getTargetException();
				}
			}));
	}

	/**
	 * A factory, and what closes it.
	 */
	record Connections(RedisConnectionFactory factory, DisposableBean owner) implements AutoCloseable {

		@Override
		public void close() {
			try {
				this.owner.destroy();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
