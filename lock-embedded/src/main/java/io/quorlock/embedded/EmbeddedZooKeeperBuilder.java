package io.quorlock.embedded;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * How ZooKeeper servers are to be started. The default is what a server does with an
 * empty configuration: a tick of 2 s, and so session timeouts from 4 s to 40 s.
 *
 * @since 0.1.0
 */
public final class EmbeddedZooKeeperBuilder {

	private final Map<String, String> properties = new LinkedHashMap<>();

	EmbeddedZooKeeperBuilder() {
		property("tickTime", "2000");
		property("initLimit", "10");
		property("syncLimit", "5");
		// Everybody on this machine has the same address.
		property("maxClientCnxns", "0");
		property("admin.enableServer", "false");
		// Nothing is meant to survive this JVM.
		property("forceSync", "no");
	}

	/**
	 * Sets the tick of the servers. Sessions expire at a tick, and their timeout lies
	 * between 2 and 20 ticks.
	 * @param tickTime the tick, 2 s by default
	 * @return this
	 */
	public EmbeddedZooKeeperBuilder tickTime(Duration tickTime) {
		return property("tickTime", Long.toString(tickTime.toMillis()));
	}

	/**
	 * Sets a property of the servers' configuration. One that the configuration file does
	 * not know itself becomes a system property of this JVM, {@code zookeeper.} in front,
	 * as ZooKeeper does with its own file.
	 * @param name the name, as in {@code zoo.cfg}
	 * @param value the value
	 * @return this
	 */
	public EmbeddedZooKeeperBuilder property(String name, String value) {
		this.properties.put(name, value);
		return this;
	}

	/**
	 * Starts one server with these options; each call starts another one.
	 * @return the server, ready for connections
	 * @throws EmbeddedServerException if it does not start
	 */
	public EmbeddedZooKeeper start() {
		EmbeddedZooKeeper server = new EmbeddedZooKeeper(1, properties());
		try {
			server.start(Map.of("server.1", server.ownAddress()));
			server.awaitServing();
			return server;
		}
		catch (RuntimeException ex) {
			server.close();
			throw ex;
		}
	}

	/**
	 * Starts an ensemble of servers with these options.
	 * @param servers how many; an odd number, as a rule
	 * @return the ensemble, every server ready for connections
	 * @throws EmbeddedServerException if it does not start; then no server is left
	 */
	public EmbeddedZooKeeperEnsemble startEnsemble(int servers) {
		return new EmbeddedZooKeeperEnsemble(servers, this);
	}

	Properties properties() {
		Properties copy = new Properties();
		copy.putAll(this.properties);
		return copy;
	}

}
