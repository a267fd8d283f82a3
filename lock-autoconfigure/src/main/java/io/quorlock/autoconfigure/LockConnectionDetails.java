package io.quorlock.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Details required to connect to the nodes that keep the locks. One bean describes all
 * nodes; if there are several beans, their nodes together are the quorum.
 *
 * @since 0.1.0
 */
public interface LockConnectionDetails extends ConnectionDetails {

	/**
	 * The nodes as {@code redis://} or {@code rediss://} URIs, one independent master
	 * each.
	 * @return the nodes' URIs
	 */
	List<String> getNodes();

	/**
	 * The user for nodes whose URI has none.
	 * @return the user, or {@code null}
	 */
	default @Nullable String getUsername() {
		return null;
	}

	/**
	 * The password for nodes whose URI has none.
	 * @return the password, or {@code null}
	 */
	default @Nullable String getPassword() {
		return null;
	}

	/**
	 * The SSL bundle for nodes with a {@code rediss://} URI. Asked again for every new
	 * connection, so that a reloaded bundle takes effect.
	 * @return the bundle, or {@code null} for the trust store of the JVM
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

	/**
	 * Whether the servers were started for this application, for development or for a
	 * test. Such a server is new, so the one that is seen first counts at once; only when
	 * it is exchanged later it is kept out like any other (R10).
	 * @return whether a server counts although it was started just now
	 */
	default boolean isNewlyStarted() {
		return false;
	}

}
