#!/usr/bin/env bash
#
# ZooKeeper 3.9.5: the number of a sequential node comes from the parent's child version, an int. The programmer's guide
# says that it overflows beyond 2147483647. It sticks there: one node gets the name ...2147483647, and each further
# creation fails with NodeExists as long as that node exists, although the caller chose no name.
#
# Seen: "names: [n-2147483646, n-2147483647], then: NodeExistsException".
# Needs a JDK of at least 17 and Maven. The counter is set in the server's memory, instead of by two thousand million
# creations. Fails if a further name is given.

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
import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

public class Finding {

	public static void main(String[] args) throws Exception {
		Path data = Files.createTempDirectory(Path.of("."), "data");
		ZooKeeperServer server = new ZooKeeperServer(data.toFile(), data.toFile(), 500);
		ServerCnxnFactory connections = new NIOServerCnxnFactory();
		connections.configure(new InetSocketAddress("127.0.0.1", 0), 0);
		connections.startup(server);
		ZooKeeper client = new ZooKeeper("127.0.0.1:" + connections.getLocalPort(), 10_000, (event) -> {
		});
		for (int i = 0; i < 100 && !client.getState().isConnected(); i++) {
			Thread.sleep(100);
		}
		client.create("/locks", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
		server.getZKDatabase().getDataTree().getNode("/locks").stat.setCversion(Integer.MAX_VALUE - 1);
		List<String> names = new ArrayList<>();
		String end = "none";
		try {
			for (int i = 0; i < 5; i++) {
				names.add(client.create("/locks/n-", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE,
						CreateMode.EPHEMERAL_SEQUENTIAL).substring("/locks/".length()));
			}
		}
		catch (KeeperException ex) {
			end = ex.getClass().getSimpleName();
		}
		System.out.println("names: " + names + ", then: " + end);
		System.exit((names.size() == 2 && end.equals("NodeExistsException")) ? 0 : 1);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
