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

package io.quorlock.fencing;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Fencing for values in Redis. A script changes the value and the fence together.
 *
 * <pre class="code">
 * new RedisFence(jedis::eval)
 * new RedisFence((script, keys, args) -&gt;
 *     redisTemplate.execute(RedisScript.of(script, Long.class), keys, args.toArray()))
 * </pre>
 *
 * The fence of a key is kept beside it, in the same slot of a Cluster, and remains when
 * the value is deleted, since the next stale write would succeed otherwise.
 *
 * @since 0.1.0
 */
public final class RedisFence {

	/** Sets the value only if one is passed. */
	private static final String SET = """
			local stored = tonumber(redis.call('GET', KEYS[2]) or '0')
			if tonumber(ARGV[1]) < stored then
				return stored
			end
			redis.call('SET', KEYS[2], ARGV[1])
			if ARGV[2] then
				redis.call('SET', KEYS[1], ARGV[2])
			end
			return -1
			""";

	private final Scripts scripts;

	/**
	 * Create a fence for the values of a Redis server.
	 * @param scripts runs Lua scripts on it
	 */
	public RedisFence(Scripts scripts) {
		this.scripts = scripts;
	}

	/**
	 * Check that no later holder has used a value, and refuse earlier holders from now
	 * on. Call it before the value is read, if what is set depends on what was read.
	 * @param key the key
	 * @param token the caller's fencing token
	 * @throws StaleFencingTokenException if a later holder has used the value
	 */
	public void check(String key, long token) {
		run(key, token, List.of(Long.toString(token)));
	}

	/**
	 * Set a value, unless a later holder has used it. The same holder may set it several
	 * times.
	 * @param key the key
	 * @param value the value
	 * @param token the caller's fencing token
	 * @throws StaleFencingTokenException if a later holder has used the value
	 */
	public void set(String key, String value, long token) {
		run(key, token, List.of(Long.toString(token), value));
	}

	private void run(String key, long token, List<String> arguments) {
		Object reply = this.scripts.eval(SET, List.of(key, fenceKey(key)), arguments);
		if (!(reply instanceof Long stored)) {
			throw new IllegalStateException("Redis replied " + reply + " to a script that returns a number");
		}
		if (stored != -1) {
			throw new StaleFencingTokenException("'" + key + "'", token, stored);
		}
	}

	/**
	 * Return the key under which the greatest token is kept.
	 * @param key the key
	 * @return the fence's key, in the same slot of a Cluster unless the key has braces
	 * but no hash tag
	 */
	public static String fenceKey(String key) {
		int open = key.indexOf('{');
		boolean tagged = open != -1 && key.indexOf('}', open) > open + 1;
		return (tagged ? key : "{" + key + "}") + ":fence";
	}

	/**
	 * Runs Lua scripts on a Redis server.
	 */
	@FunctionalInterface
	public interface Scripts {

		/**
		 * Run a script.
		 * @param script the script
		 * @param keys its keys
		 * @param arguments its arguments
		 * @return its reply; a number as a {@link Long}
		 */
		@Nullable Object eval(String script, List<String> keys, List<String> arguments);

	}

}
