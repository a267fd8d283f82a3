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

package io.quorlock.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.LockRequest;
import io.quorlock.LogText;

/**
 * Values of the tag {@code lock}: the name without the key. There are at most 100 values,
 * then {@link #OTHER}, so that names which contain a key do not create a meter for each
 * key.
 *
 * @since 0.1.0
 */
public final class LockTags {

	/**
	 * The value for all names beyond the first 100.
	 */
	public static final String OTHER = "other";

	private static final Log logger = LogFactory.getLog(LockTags.class);

	private static final int MAX_VALUES = 100;

	private final Values values = new Values();

	private final Values withPermits = new Values();

	private volatile boolean full;

	/**
	 * Return the value for a lock.
	 * @param baseName the name without the key
	 * @return the baseName or {@link #OTHER}
	 */
	public String valueOf(String baseName) {
		if (this.values.seen.contains(baseName)) {
			return baseName;
		}
		return this.full ? OTHER : admit(baseName);
	}

	/** The tags of a request, of which it is remembered whether it has permits. */
	Tagged of(LockRequest request) {
		String value = valueOf(request.baseName());
		if (request.permits() > 0 && !this.withPermits.seen.contains(value)) {
			addWithPermits(value);
		}
		return new Tagged(value, LockKeyValues.mode(request.mode(), request.permits()));
	}

	private synchronized void addWithPermits(String value) {
		this.withPermits.add(value);
	}

	private synchronized String admit(String baseName) {
		if (this.full) {
			return OTHER;
		}
		String value = baseName;
		if (this.values.seen.size() == MAX_VALUES && !this.values.seen.contains(baseName)) {
			logger.warn(("More than %d names of locks: '%s' and all further names have the tag '%s'. Pass "
					+ "the part that varies as the key, as in LockRequest.of(\"order\").key(42)")
				.formatted(MAX_VALUES, LogText.escape(baseName), OTHER));
			this.full = true;
			value = OTHER;
		}
		this.values.add(value);
		return value;
	}

	/** Notify a listener once of each value of locks with permits. */
	synchronized void forEachWithPermits(Consumer<String> watcher) {
		this.withPermits.watch(watcher);
	}

	/** Notify a listener once of each value, including the existing ones. */
	synchronized void forEach(Consumer<String> watcher) {
		this.values.watch(watcher);
	}

	/** What the tags of a request are made of. */
	record Tagged(String lock, String mode) {
	}

	/** Values that were seen, and who is notified of each. Changed under the lock. */
	private static final class Values {

		private final Set<String> seen = ConcurrentHashMap.newKeySet();

		private final List<Consumer<String>> watchers = new ArrayList<>();

		private void add(String value) {
			if (this.seen.add(value)) {
				this.watchers.forEach((watcher) -> watcher.accept(value));
			}
		}

		private void watch(Consumer<String> watcher) {
			this.watchers.add(watcher);
			this.seen.forEach(watcher);
		}

	}

}
