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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What the servers keep while they run.
 */
final class TemporaryFiles {

	private TemporaryFiles() {
	}

	/** One sentence for the user: what is wrong, and what to do. */
	static String unusable(String why, @Nullable Exception cause) {
		return "The temporary folder " + System.getProperty("java.io.tmpdir")
				+ " cannot be used by embedded servers, since " + why + ((cause != null) ? " (" + cause + ")" : "")
				+ ": name another one with -Djava.io.tmpdir";
	}

	static EmbeddedServerException notWritable(IOException ex) {
		return new EmbeddedServerException(unusable("no file can be written there", ex), ex);
	}

	/** Delete the directory with all that is in it, if it is there. */
	static void delete(Path directory) {
		if (Files.notExists(directory)) {
			return;
		}
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.deleteIfExists(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
