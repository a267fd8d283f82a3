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

package io.quorlock.redis;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Reads replies in the Redis protocol, versions 2 and 3, within limits: what a server
 * sends is input, and must not fill the memory or the stack of its clients.
 * <p>
 * Strings of all kinds are {@code byte[]}, numbers {@link Long}, null is {@code null},
 * errors are {@link RespError}; arrays, sets, pushes and maps are a {@link List}, a map
 * with its keys and values in turn. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class RespReader {

	private static final int LONGEST_LINE = 64 * 1024;

	private final InputStream in;

	private final byte[] buffer = new byte[8 * 1024];

	private int position;

	private int end;

	/** What is left of the limits while a reply is read. */
	private int bytesLeft;

	private int elementsLeft;

	/**
	 * Create a new reader.
	 * @param in where the replies come from; needs no buffer
	 */
	public RespReader(InputStream in) {
		this.in = in;
	}

	/**
	 * Return whether the next reply is a push message. Blocks until it begins.
	 * @return whether it was sent without a command
	 * @throws IOException if the connection ends
	 */
	public boolean nextIsPush() throws IOException {
		return peek() == '>';
	}

	/**
	 * Read one reply, as {@link #read(Limits)} does.
	 * @param limits supplies how large it may be; not called if the reply is a number
	 * @return the reply
	 * @throws RespFormatException if it is no reply, or too large
	 * @throws IOException if the connection ends
	 */
	public @Nullable Object read(Supplier<Limits> limits) throws IOException {
		if (peek() == ':') {
			next();
			return readNumber();
		}
		return read(limits.get());
	}

	/**
	 * Read one reply. Blocks until it is complete.
	 * @param limits how large it may be
	 * @return the reply
	 * @throws RespFormatException if it is no reply, or too large
	 * @throws IOException if the connection ends
	 */
	public @Nullable Object read(Limits limits) throws IOException {
		this.bytesLeft = limits.bytes();
		this.elementsLeft = limits.elements();
		return readValue(limits.depth());
	}

	private @Nullable Object readValue(int depth) throws IOException {
		byte type = next();
		return switch (type) {
			case '+', ',', '(' -> readLine();
			case '-' -> RespError.of(readLine());
			case ':' -> readNumber();
			case '#' -> readBoolean();
			case '_' -> {
				require(readLine().length == 0, type);
				yield null;
			}
			case '$', '=' -> readBulk(type);
			case '!' -> {
				byte[] message = readBulk(type);
				yield RespError.of((message != null) ? message : new byte[0]);
			}
			case '*', '~', '>' -> readList(type, 1, depth);
			case '%' -> readList(type, 2, depth);
			default -> throw new RespFormatException(type);
		};
	}

	private Object readBoolean() throws IOException {
		byte[] line = readLine();
		require(line.length == 1 && (line[0] == 't' || line[0] == 'f'), (byte) '#');
		return (line[0] == 't') ? 1L : 0L;
	}

	private byte @Nullable [] readBulk(byte type) throws IOException {
		long length = readNumber();
		if (length == -1) {
			return null;
		}
		require(length >= 0 && length <= this.bytesLeft, type);
		this.bytesLeft -= (int) length;
		byte[] bytes = new byte[(int) length];
		int copied = Math.min(bytes.length, this.end - this.position);
		System.arraycopy(this.buffer, this.position, bytes, 0, copied);
		this.position += copied;
		while (copied < bytes.length) {
			int read = this.in.read(bytes, copied, bytes.length - copied);
			if (read <= 0) {
				throw new EOFException();
			}
			copied += read;
		}
		require(next() == '\r' && next() == '\n', type);
		return bytes;
	}

	private @Nullable List<@Nullable Object> readList(byte type, int valuesPerElement, int depth) throws IOException {
		long length = readNumber();
		if (length == -1) {
			return null;
		}
		require(depth > 0 && length >= 0 && length <= this.elementsLeft / valuesPerElement, type);
		int size = (int) length * valuesPerElement;
		this.elementsLeft -= size;
		List<@Nullable Object> list = new ArrayList<>(size);
		for (int i = 0; i < size; i++) {
			list.add(readValue(depth - 1));
		}
		return list;
	}

	private long readNumber() throws IOException {
		byte b = next();
		boolean negative = b == '-';
		if (negative || b == '+') {
			b = next();
		}
		long number = 0;
		int digits = 0;
		while (b != '\r') {
			int digit = b - '0';
			digits++;
			if (digit < 0 || digit > 9 || digits > 19) {
				throw new RespFormatException((byte) ':');
			}
			number = 10 * number - digit; // negative, since there is one number more
			b = (this.position < this.end) ? this.buffer[this.position++] : next();
		}
		require(next() == '\n' && digits > 0, (byte) ':');
		require(number <= 0 && (negative || number != Long.MIN_VALUE), (byte) ':');
		return negative ? number : -number;
	}

	private byte[] readLine() throws IOException {
		byte[] line = new byte[32];
		int length = 0;
		for (byte b = next(); b != '\r'; b = next()) {
			require(b != '\n' && length < LONGEST_LINE && this.bytesLeft-- > 0, b);
			if (length == line.length) {
				line = Arrays.copyOf(line, 2 * length);
			}
			line[length++] = b;
		}
		require(next() == '\n', (byte) '\r');
		return Arrays.copyOf(line, length);
	}

	private byte next() throws IOException {
		if (this.position == this.end) {
			fill();
		}
		return this.buffer[this.position++];
	}

	private byte peek() throws IOException {
		if (this.position == this.end) {
			fill();
		}
		return this.buffer[this.position];
	}

	private void fill() throws IOException {
		int read = this.in.read(this.buffer, 0, this.buffer.length);
		if (read <= 0) {
			throw new EOFException();
		}
		this.position = 0;
		this.end = read;
	}

	private static void require(boolean valid, byte at) throws RespFormatException {
		if (!valid) {
			throw new RespFormatException(at);
		}
	}

	/**
	 * How large a reply may be.
	 *
	 * @param bytes how many bytes its strings and lines may have together; numbers have
	 * none
	 * @param elements how many elements its arrays may have together
	 * @param depth how deep its arrays may be nested
	 */
	public record Limits(int bytes, int elements, int depth) {

		private static final int COMMAND_BYTES = 1024 * 1024;

		private static final int BYTES_PER_NAME = 1024;

		/** An owner has less. */
		private static final int BYTES_PER_ELEMENT = 512;

		/**
		 * For {@code INFO} and the other replies of a handshake.
		 */
		public static final Limits HANDSHAKE = new Limits(256 * 1024, 1024, 5);

		/**
		 * For messages that no command asked for.
		 */
		public static final Limits PUSH = new Limits(COMMAND_BYTES, 8, 1);

		/**
		 * Return the limits for the reply to a command.
		 * @param names how many names or permits it has
		 * @param elements how many elements the reply may have besides two for each of
		 * those
		 * @return the limits
		 */
		public static Limits of(int names, int elements) {
			return new Limits(COMMAND_BYTES + BYTES_PER_NAME * names + BYTES_PER_ELEMENT * elements,
					2 * names + elements, 4);
		}

	}

}
