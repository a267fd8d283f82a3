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

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SNIHostName;

import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;

/**
 * Where a node is, and the user and password for it:
 * {@code redis://[[user]:password@]host[:port][/database]}, or {@code rediss://} for TLS.
 * User and password may be percent-encoded.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param port the port
 * @param tls whether to use TLS
 * @param username the user, or {@code null} for the default user
 * @param password the password, or {@code null} for none
 * @param database the number of the database
 * @since 0.1.0
 */
public record NodeAddress(String host, int port, boolean tls, @Nullable String username, @Nullable String password,
		int database) {

	// Not java.net.URI, which knows no host with an underscore, as container networks do.
	private static final Pattern URI = Pattern
		.compile("(rediss?)://(?:(.*)@)?(\\[[0-9a-fA-F:.%]+]|[^\\[\\]/:@?#\\s]+)(?::(\\d{1,5}))?(?:/(\\d{0,5}))?");

	/** With what is well-formed behind it; a password may stand where the port should. */
	private static final Pattern HOST = Pattern
		.compile("(\\[[0-9a-fA-F:.%]+]|[A-Za-z0-9._-]+)(:\\d{1,5}(?=/|$))?(/\\d{0,5}$)?");

	private static final int DEFAULT_PORT = 6379;

	/**
	 * Read a URI.
	 * @param uri the URI
	 * @return the address
	 * @throws InvalidNodeUriException if it is none
	 */
	public static NodeAddress parse(String uri) {
		Matcher matcher = URI.matcher(uri.strip());
		if (!matcher.matches()) {
			throw invalid(uri, "expected redis://[[user]:password@]host[:port][/database], or rediss:// for TLS");
		}
		int port = (matcher.group(4) != null) ? Integer.parseInt(matcher.group(4)) : DEFAULT_PORT;
		if (port < 1 || port > 65535) {
			throw invalid(uri, "the port is not between 1 and 65535");
		}
		String host = matcher.group(3);
		if (matcher.group(1).equals("rediss") && !isHostName(host)) {
			throw invalid(uri, "TLS verifies the host, and this is neither a host name, which has letters, digits, '-' "
					+ "and '.' alone, nor an address");
		}
		String database = matcher.group(5);
		String[] login = login(uri, matcher.group(2));
		return new NodeAddress(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port,
				matcher.group(1).equals("rediss"), login[0], login[1],
				(database == null || database.isEmpty()) ? 0 : Integer.parseInt(database));
	}

	/** As the JDK has it: a handshake with any other name fails. */
	private static boolean isHostName(String host) {
		try {
			return host.startsWith("[") || new SNIHostName(host.replaceFirst("\\.$", "")).getAsciiName() != null;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private static @Nullable String[] login(String uri, @Nullable String userInfo) {
		if (userInfo == null) {
			return new @Nullable String[2];
		}
		int colon = userInfo.indexOf(':');
		if (colon < 0) {
			throw invalid(uri, "there is a user without a password; for a password alone write ':password@'");
		}
		try {
			String user = decode(userInfo.substring(0, colon));
			return new @Nullable String[] { user.isEmpty() ? null : user, decode(userInfo.substring(colon + 1)) };
		}
		catch (IllegalArgumentException ex) {
			// The cause would quote the secret.
			throw invalid(uri, "user or password is not percent-encoded correctly");
		}
	}

	private static String decode(String text) {
		return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
	}

	private static InvalidNodeUriException invalid(String uri, String reason) {
		return new InvalidNodeUriException(withoutSecrets(uri), reason);
	}

	/**
	 * Return a URI, well-formed or not, as it may be shown: the scheme and, where it is
	 * plain which part that is, the host.
	 * @param uri the URI
	 * @return the same with three stars for whatever may be a secret
	 */
	public static String withoutSecrets(String uri) {
		int scheme = uri.indexOf("://");
		String start = (scheme < 0) ? "" : uri.substring(0, scheme + 3);
		String rest = uri.substring(start.length());
		int at = rest.lastIndexOf('@');
		Matcher host = HOST.matcher(rest.substring(at + 1));
		String shown = !host.lookingAt() ? "***"
				: (host.end() == rest.length() - at - 1) ? host.group() : host.group() + "***";
		return LogText.bounded(start + ((at >= 0) ? "***@" : "") + shown);
	}

	/**
	 * Return the address with a user and a password, unless it has its own.
	 * @param username the user, or {@code null}
	 * @param password the password, or {@code null}
	 * @return the address
	 * @throws IllegalArgumentException if there is a user without a password, which would
	 * be the default user on the server
	 */
	public NodeAddress withDefaultLogin(@Nullable String username, @Nullable String password) {
		if (this.password == null && username != null && password == null) {
			throw new IllegalArgumentException("There is a user without a password");
		}
		return (this.password != null) ? this
				: new NodeAddress(this.host, this.port, this.tls, username, password, this.database);
	}

	/**
	 * The name by which all instances know the node.
	 * @return {@code host:port}
	 */
	public String name() {
		return ((this.host.indexOf(':') >= 0) ? "[" + this.host + "]" : this.host) + ":" + this.port;
	}

	/**
	 * The name of the node in the lists of nodes that instances compare. Locks in two
	 * databases of one server do not exclude each other.
	 * @return {@code host:port}, and {@code /database} unless that is 0
	 */
	public String listedName() {
		return name() + ((this.database != 0) ? "/" + this.database : "");
	}

	@Override
	public String toString() {
		return (this.tls ? "rediss://" : "redis://") + listedName();
	}

}
