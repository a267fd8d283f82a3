#!/usr/bin/env bash
#
# ZooKeeper 3.9.5: when servers come back with fewer transactions than a client has seen, as after a lost disk or from a
# backup, they close each of its connections, without a word to the client. It connects again for ever, at times every
# second; there is no Expired event, its state stays CONNECTING, and the session timeout, long over, means nothing to it.
# A new client connects at once.
#
# Seen: "30 s after the restart, session timeout 4 s: state=CONNECTING, events=[SyncConnected, Disconnected]", "a new
# client: SyncConnected".
# Needs a JDK of at least 17 and Maven. Fails if the old client learns that its session is over.

set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>finding</groupId>
	<artifactId>finding</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>org.apache.zookeeper</groupId>
			<artifactId>zookeeper</artifactId>
			<version>3.9.5</version>
		</dependency>
		<dependency>
			<groupId>io.dropwizard.metrics</groupId>
			<artifactId>metrics-core</artifactId>
			<version>4.1.12.1</version>
		</dependency>
		<dependency>
			<groupId>org.xerial.snappy</groupId>
			<artifactId>snappy-java</artifactId>
			<version>1.1.10.5</version>
		</dependency>
	</dependencies>
</project>
POM
cat > Finding.java <<'JAVA'
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

public class Finding {

	private static int port;

	public static void main(String[] args) throws Exception {
		List<KeeperState> events = new CopyOnWriteArrayList<>();
		List<KeeperState> eventsOfNew = new CopyOnWriteArrayList<>();
		ServerCnxnFactory before = start();
		ZooKeeper client = connect(events);
		for (int i = 0; i < 10; i++) {
			client.create("/node" + i, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
		}
		before.shutdown();
		start(); // empty
		Thread.sleep(30_000);
		System.out.println("30 s after the restart, session timeout 4 s: state=" + client.getState() + ", events="
				+ events.stream().distinct().toList());
		connect(eventsOfNew);
		System.out.println("a new client: " + eventsOfNew.get(0));
		boolean expired = events.contains(KeeperState.Expired) || !client.getState().isAlive();
		System.exit((!expired && !client.getState().isConnected()) ? 0 : 1);
	}

	private static ServerCnxnFactory start() throws Exception {
		Path data = Files.createTempDirectory(Path.of("."), "data");
		ZooKeeperServer server = new ZooKeeperServer(data.toFile(), data.toFile(), 500);
		ServerCnxnFactory connections = new NIOServerCnxnFactory();
		connections.configure(new InetSocketAddress("127.0.0.1", port), 0);
		connections.startup(server);
		port = connections.getLocalPort();
		return connections;
	}

	private static ZooKeeper connect(List<KeeperState> events) throws Exception {
		ZooKeeper client = new ZooKeeper("127.0.0.1:" + port, 4_000, (WatchedEvent event) -> events.add(event.getState()));
		for (int i = 0; i < 100 && !client.getState().isConnected(); i++) {
			Thread.sleep(100);
		}
		Thread.sleep(200);
		return client;
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
