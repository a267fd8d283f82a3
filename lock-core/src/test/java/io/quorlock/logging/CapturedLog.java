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

package io.quorlock.logging;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * What is logged during a test: lines with level, logger and message, from all threads.
 */
public final class CapturedLog implements CharSequence, AutoCloseable {

	private final StringBuffer lines = new StringBuffer();

	private final Logger root;

	private final Lines appender = new Lines();

	CapturedLog() {
		LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
		this.root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
		this.appender.layout.setContext(context);
		this.appender.layout.setPattern("%-5level %logger : %message%n%throwable");
		this.appender.layout.start();
		this.appender.setContext(context);
		this.appender.start();
		this.root.addAppender(this.appender);
	}

	@Override
	public int length() {
		return this.lines.length();
	}

	@Override
	public char charAt(int index) {
		return this.lines.charAt(index);
	}

	@Override
	public CharSequence subSequence(int start, int end) {
		return this.lines.subSequence(start, end);
	}

	@Override
	public String toString() {
		return this.lines.toString();
	}

	@Override
	public void close() {
		this.root.detachAppender(this.appender);
		this.appender.stop();
	}

	private final class Lines extends AppenderBase<ILoggingEvent> {

		private final PatternLayout layout = new PatternLayout();

		@Override
		protected void append(ILoggingEvent event) {
			CapturedLog.this.lines.append(this.layout.doLayout(event));
		}

	}

}
