package io.quorlock.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Details required to connect to the nodes that keep the locks. One bean describes all
 * nodes; with several beans, the quorum consists of the nodes of all of them.
 *
 * @since 0.1.0
 */
public interface LockConnectionDetails extends ConnectionDetails {

	/**
	 * Return the nodes as {@code redis://} or {@code rediss://} URIs, one independent
	 * master each.
	 * @return the nodes' URIs
	 */
	List<String> getNodes();

	/**
	 * Return the user for nodes whose URI has none.
	 * @return the user, or {@code null}
	 */
	default @Nullable String getUsername() {
		return null;
	}

	/**
	 * Return the password for nodes whose URI has none.
	 * @return the password, or {@code null}
	 */
	default @Nullable String getPassword() {
		return null;
	}

	/**
	 * Return the SSL bundle for nodes with a {@code rediss://} URI. Called for every new
	 * connection, so that a reloaded bundle takes effect.
	 * @return the bundle, or {@code null} for the trust store of the JVM
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

	/**
	 * Return whether the servers were started for this application, for development or
	 * for a test. Such a server is new, so that it votes as soon as it is connected. If
	 * it is replaced later, the new one is quarantined like any other (R10).
	 * @return whether a server votes although it was started just now
	 */
	default boolean isNewlyStarted() {
		return false;
	}

}
