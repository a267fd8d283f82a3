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

package io.quorlock;

import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineSettings;
import io.quorlock.quorum.QuorumSettings;

/**
 * Settings whose components a test changes one by one.
 *
 * @param <R> their record
 */
public final class Settings<R extends Record> {

	private final Class<R> type;

	private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

	@SuppressWarnings("unchecked")
	private Settings(R settings) {
		this.type = (Class<R>) settings.getClass();
		for (RecordComponent component : this.type.getRecordComponents()) {
			this.values.put(component.getName(), invoke(component.getAccessor(), settings));
		}
	}

	public static <R extends Record> Settings<R> of(R settings) {
		return new Settings<>(settings);
	}

	/** With the defaults of the properties. */
	public static Settings<EngineSettings> engine(String instanceId) {
		return of(new EngineSettings(instanceId, "", Duration.ofSeconds(5), Duration.ofSeconds(30),
				Duration.ofSeconds(60), Duration.ZERO, Duration.ofMillis(200), Integer.MAX_VALUE, false, 16,
				Duration.ofMillis(50), Duration.ZERO, false, true));
	}

	/** With the defaults of the properties. */
	public static Settings<QuorumSettings> quorum(String instanceId) {
		return of(new QuorumSettings(instanceId, Duration.ofMillis(100), Duration.ofMillis(50), Duration.ofMillis(500),
				Duration.ofSeconds(60), 0.01, true, Duration.ofMinutes(10), 0, Duration.ofMillis(50),
				() -> ThreadLocalRandom.current().nextLong(), () -> new SecureRandom().nextLong()));
	}

	/** With random numbers that repeat, and so that a simulation can be repeated. */
	public static Settings<QuorumSettings> quorum(String instanceId, LongSupplier random) {
		return quorum(instanceId).set(QuorumSettings::random, random).set(QuorumSettings::identity, random);
	}

	public <T extends @Nullable Object> Settings<R> set(Component<R, T> component, T value) {
		String name = component.name();
		if (!this.values.containsKey(name)) {
			throw new IllegalArgumentException("No component " + name);
		}
		this.values.put(name, value);
		return this;
	}

	public R build() {
		Class<?>[] types = Arrays.stream(this.type.getRecordComponents())
			.map(RecordComponent::getType)
			.toArray(Class<?>[]::new);
		try {
			return this.type.getDeclaredConstructor(types).newInstance(this.values.values().toArray());
		}
		catch (ReflectiveOperationException ex) {
			if (ex.getCause() instanceof RuntimeException refused) {
				throw refused;
			}
			throw new IllegalStateException(ex);
		}
	}

	private static @Nullable Object invoke(Method method, Object target) {
		try {
			method.setAccessible(true);
			return method.invoke(target);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A component, as a reference to its accessor.
	 *
	 * @param <R> the record
	 * @param <T> the type of the component
	 */
	@FunctionalInterface
	public interface Component<R, T extends @Nullable Object> extends Function<R, T>, Serializable {

		private String name() {
			try {
				Method method = getClass().getDeclaredMethod("writeReplace");
				return ((SerializedLambda) Objects.requireNonNull(invoke(method, this))).getImplMethodName();
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
