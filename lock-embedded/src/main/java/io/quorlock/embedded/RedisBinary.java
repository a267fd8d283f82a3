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

package io.quorlock.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

import redis.embedded.RedisExecProvider;

/**
 * The redis-server binary for this system.
 */
final class RedisBinary {

	private RedisBinary() {
	}

	/** Unpack it there, or take the one that is given. */
	static Path extractTo(Path directory) {
		String given = System.getProperty(EmbeddedRedisNode.SERVER_PROPERTY,
				System.getenv().getOrDefault("QUORLOCK_REDIS_SERVER", ""));
		if (!given.isEmpty()) {
			return requireGiven(Path.of(given));
		}
		requireSupported(System.getProperty("os.name"), System.getProperty("os.arch"));
		try {
			Path extracted = RedisExecProvider.defaultProvider().get().toPath();
			Path moved = Files.move(extracted, directory.resolve("redis-server"), StandardCopyOption.REPLACE_EXISTING);
			Files.delete(extracted.toAbsolutePath().getParent());
			requireExecutable(moved);
			return moved;
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new EmbeddedServerException(TemporaryFiles.unusable("redis-server cannot be unpacked there", ex), ex);
		}
	}

	private static Path requireGiven(Path given) {
		if (!Files.isExecutable(given)) {
			throw new EmbeddedServerException("There is no executable redis-server at " + given + " ("
					+ EmbeddedRedisNode.SERVER_PROPERTY + ", QUORLOCK_REDIS_SERVER)");
		}
		return given.toAbsolutePath();
	}

	static void requireSupported(String system, String processor) {
		String name = system.toLowerCase(Locale.ROOT);
		boolean known = name.startsWith("linux") || name.startsWith("mac");
		boolean built = switch (processor) {
			case "amd64", "x86_64", "aarch64", "arm64" -> true;
			default -> false;
		};
		if (!known || !built) {
			throw new EmbeddedServerException("There is no embedded Redis server for " + system + " on " + processor
					+ ", only for Linux and macOS on x86-64 and arm64: use Redis servers that run elsewhere,"
					+ " in a container or in WSL for example, or name a redis-server with the system property "
					+ EmbeddedRedisNode.SERVER_PROPERTY);
		}
	}

	/** It is not where the file system is mounted with {@code noexec}. */
	static void requireExecutable(Path binary) {
		if (!Files.isExecutable(binary)) {
			throw new EmbeddedServerException(TemporaryFiles.unusable("no program may be run from there", null));
		}
	}

}
