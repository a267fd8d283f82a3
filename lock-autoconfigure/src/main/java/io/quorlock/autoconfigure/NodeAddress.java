package io.quorlock.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * What a node's URI says.
 *
 * @param tls whether the connection is encrypted
 * @param username the user, or {@code null}
 * @param password the password, or {@code null}
 * @param host the host, an IPv6 address without brackets
 * @param port the port
 * @param database the index of the database
 */
record NodeAddress(boolean tls, @Nullable String username, @Nullable String password, String host, int port,
		int database) {

	/** Not {@link java.net.URI}: to it a host with an underscore is none at all. */
	private static final Pattern URI = Pattern.compile("redis(?<tls>s?)://(?:(?<user>[^:/@]*)(?::(?<password>.*))?@)?"
			+ "(?<host>[^\\[\\]:/?#@\\s]+|\\[[0-9A-Fa-f:.]+])(?::(?<port>\\d{1,5}))?(?:/(?<database>\\d{1,4})?)?");

	private static final int DEFAULT_PORT = 6379;

	/**
	 * Parses a URI.
	 * @param uri the URI
	 * @return the address, or {@code null} if the URI is malformed
	 */
	static @Nullable NodeAddress parse(String uri) {
		Matcher matcher = URI.matcher(uri.strip());
		if (!matcher.matches()) {
			return null;
		}
		String port = matcher.group("port");
		String database = matcher.group("database");
		int portNumber = (port != null) ? Integer.parseInt(port) : DEFAULT_PORT;
		if (portNumber < 1 || portNumber > 65535) {
			return null;
		}
		String user = matcher.group("user");
		String password = matcher.group("password");
		if (user != null && password == null) {
			// As in Boot and in redis-cli, "redis://secret@host" has a password only.
			password = user;
			user = null;
		}
		String host = matcher.group("host").toLowerCase(Locale.ROOT);
		if (host.startsWith("[")) {
			host = host.substring(1, host.length() - 1);
		}
		try {
			return new NodeAddress("s".equals(matcher.group("tls")), decode(user), decode(password), host, portNumber,
					(database != null) ? Integer.parseInt(database) : 0);
		}
		catch (IllegalArgumentException ex) {
			return null; // a percent sign that encodes nothing
		}
	}

	private static @Nullable String decode(@Nullable String text) {
		return StringUtils.hasLength(text) ? StringUtils.uriDecode(text, StandardCharsets.UTF_8) : null;
	}

	/**
	 * A URI without what may be a secret.
	 * @param uri a URI, however malformed
	 * @return the URI with the user information replaced
	 */
	static String withoutSecrets(String uri) {
		int at = uri.lastIndexOf('@');
		if (at < 0) {
			return uri;
		}
		int scheme = uri.indexOf("://");
		return ((scheme >= 0 && scheme < at) ? uri.substring(0, scheme + 3) : "") + "***" + uri.substring(at);
	}

	String hostAndPort() {
		return ((this.host.indexOf(':') >= 0) ? "[" + this.host + "]" : this.host) + ":" + this.port;
	}

	@Override
	public String toString() {
		return hostAndPort();
	}

}
