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

package io.quorlock.simulation.redis;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaNumber;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.BaseLib;
import org.luaj.vm2.lib.PackageLib;
import org.luaj.vm2.lib.StringLib;
import org.luaj.vm2.lib.TableLib;
import org.luaj.vm2.lib.VarArgFunction;
import org.luaj.vm2.lib.jse.JseMathLib;

import io.quorlock.redis.LockScript;

/**
 * Runs the lock scripts as Redis does: Lua 5.1, {@code redis.call}, and the conversions
 * between replies and Lua values. A script is compiled once for each thread. Unlike Lua
 * 5.1, a number that is joined to a string keeps all of its digits.
 */
final class LuaScripts {

	private static final LuaString KEYS = LuaString.valueOf("KEYS");

	private static final LuaString ARGV = LuaString.valueOf("ARGV");

	private static final LuaString ERR = LuaString.valueOf("err");

	private static final LuaString OK = LuaString.valueOf("ok");

	private static final ThreadLocal<LuaScripts> CURRENT = ThreadLocal.withInitial(LuaScripts::new);

	private final Globals globals = new Globals();

	private final Map<LockScript, LuaValue> compiled = new HashMap<>();

	private @Nullable RedisCommands server;

	private LuaScripts() {
		this.globals.load(new BaseLib());
		this.globals.load(new PackageLib());
		this.globals.load(new TableLib());
		this.globals.load(new StringLib());
		this.globals.load(new JseMathLib());
		LuaC.install(this.globals);
		this.globals.set("tonumber", new LuaNumbers.ToNumber());
		this.globals.get("math").set("max", new LuaNumbers.Max());
		this.globals.get("math").set("min", new LuaNumbers.Min());
		this.globals.set("unpack", this.globals.get("table").get("unpack"));
		this.globals.get("string").set("format", new LuaNumbers.Format());
		LuaTable redis = new LuaTable();
		redis.set("call", new Call());
		redis.set("pcall", new ProtectedCall());
		redis.set("REDIS_VERSION_NUM", 0x70000);
		this.globals.set("redis", redis);
	}

	static LuaScripts current() {
		return CURRENT.get();
	}

	/**
	 * Run a script.
	 * @return its result, not yet converted
	 * @throws RedisErrorException if the script returned or raised an error of Redis
	 */
	LuaValue run(LockScript script, LuaTable keys, LuaTable args, RedisCommands server) {
		LuaValue function = this.compiled.computeIfAbsent(script, this::compile);
		this.globals.rawset(KEYS, keys);
		this.globals.rawset(ARGV, args);
		this.server = server;
		LuaValue result = call(function);
		if (result instanceof LuaTable table && !table.rawget(ERR).isnil()) {
			throw new RedisErrorException(table.rawget(ERR).tojstring());
		}
		return result;
	}

	private static LuaValue call(LuaValue function) {
		try {
			return function.call();
		}
		catch (LuaError ex) {
			if (ex.getCause() instanceof RuntimeException cause) {
				throw cause;
			}
			throw new RedisErrorException("ERR " + ex.getMessage());
		}
	}

	private LuaValue compile(LockScript script) {
		byte[] source = script.source().getBytes(StandardCharsets.UTF_8);
		try {
			return new LuaClosure(LuaC.instance.compile(new ByteArrayInputStream(source), script.name()), this.globals);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static LuaTable table(byte[][] elements) {
		LuaValue[] values = new LuaValue[elements.length];
		for (int i = 0; i < values.length; i++) {
			values[i] = LuaString.valueUsing(elements[i]);
		}
		return LuaTable.listOf(values);
	}

	/** Return a result as the drivers see the reply. */
	static @Nullable Object reply(LuaValue result) {
		if (result instanceof LuaNumber number) {
			return (long) number.todouble();
		}
		if (result instanceof LuaString text) {
			byte[] bytes = new byte[text.m_length];
			text.copyInto(0, bytes, 0, bytes.length);
			return bytes;
		}
		if (result instanceof LuaTable table) {
			return table.rawget(OK).isnil() ? list(table) : table.rawget(OK).tojstring();
		}
		return result.toboolean() ? 1L : null;
	}

	private static List<@Nullable Object> list(LuaTable table) {
		List<@Nullable Object> list = new ArrayList<>();
		for (int i = 1; !table.rawget(i).isnil(); i++) {
			list.add(reply(table.rawget(i)));
		}
		return list;
	}

	/** An error is a result. */
	private final class ProtectedCall extends VarArgFunction {

		private final Call call = new Call();

		@Override
		public Varargs invoke(Varargs args) {
			try {
				return this.call.invoke(args);
			}
			catch (RedisErrorException ex) {
				LuaTable error = new LuaTable();
				error.rawset(ERR, LuaString.valueOf(String.valueOf(ex.getMessage())));
				return error;
			}
		}

	}

	private final class Call extends VarArgFunction {

		@Override
		public Varargs invoke(Varargs args) {
			LuaString[] words = new LuaString[args.narg()];
			for (int i = 0; i < words.length; i++) {
				words[i] = word(args.arg(i + 1));
			}
			return Objects.requireNonNull(LuaScripts.this.server).call(words);
		}

		private static LuaString word(LuaValue value) {
			if (value instanceof LuaNumber number) {
				return LuaNumbers.text(number);
			}
			if (value instanceof LuaString text) {
				return text;
			}
			throw new RedisErrorException("ERR Lua redis lib command arguments must be strings or integers");
		}

	}

}
