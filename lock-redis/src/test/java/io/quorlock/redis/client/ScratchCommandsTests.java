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

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RespError;
import io.quorlock.redis.RespReader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ScratchCommands}.
 */
class ScratchCommandsTests {

	private static final Pattern CALLED = Pattern.compile("redis\\.p?call\\('([A-Z]+)'");

	private static final Pattern USED = Pattern.compile("cmdstat_([a-z]+):");

	/** A right that is missing is noticed before the first lock needs it. */
	@Test
	void whateverTheScriptsCallIsTriedAndNothingIsLeft() throws Exception {
		RecordUpdater record = Mockito.mock(RecordUpdater.class);
		BDDMockito
			.given(record.command(ArgumentMatchers.eq(RecordUpdater.Action.JOIN), ArgumentMatchers.any(),
					ArgumentMatchers.any()))
			.willReturn(RespEncoder.evalsha(LockScript.RECORD, "lock:probe:record", 0,
					List.of("join", "list", "60", "", "0", "", "instance", "1000")));
		BDDMockito.given(record.command(ArgumentMatchers.eq(RecordUpdater.Action.BYE), ArgumentMatchers.any()))
			.willReturn(RespEncoder.evalsha(LockScript.RECORD, "lock:probe:record", 0,
					List.of("bye", "list", "60", "", "0", "", "instance")));
		Set<String> called = new TreeSet<>();
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start();
				Socket socket = new Socket("127.0.0.1", redis.port())) {
			for (LockScript script : LockScript.values()) {
				redis.execute("SCRIPT", "LOAD", script.source());
				CALLED.matcher(script.source())
					.results()
					.forEach((call) -> called.add(call.group(1).toLowerCase(Locale.ROOT)));
			}
			redis.execute("CONFIG", "RESETSTAT");
			RespReader replies = new RespReader(socket.getInputStream());
			for (byte[] command : ScratchCommands.of(new RedisKeys("lock:"), record)) {
				socket.getOutputStream().write(command);
				Object reply = replies.read(new RespReader.Limits(1_000_000, 10_000, 8));
				assertThat(reply).as(new String(command, StandardCharsets.US_ASCII)).isNotInstanceOf(RespError.class);
			}
			List<String> used = USED.matcher(String.valueOf(redis.execute("INFO", "commandstats")))
				.results()
				.map((call) -> call.group(1))
				.toList();
			assertThat(used).containsAll(called);
			Awaitility.await()
				.untilAsserted(() -> assertThat(String.valueOf(redis.execute("KEYS", "*"))).isEqualTo("[]"));
		}
	}

}
