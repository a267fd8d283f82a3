#!/usr/bin/env bash
#
# Curator 5.9.0 with ZooKeeper 3.9.5: the number in the name of a lock's node begins anew. Curator makes the parent a
# container, which the server removes about a minute after the last node in it, and with it the counter: a lock that nobody
# wants for a while starts again at 0000000000. As a fencing token, for which it is often taken, it lets the holder of
# yesterday pass and refuses that of today, until the numbers have caught up. The czxid of the node only grows.
#
# Seen: "held five times, unused for a while after the third: numbers=[0, 1, 2, 0, 1], czxid=[4, 6, 8, 13, 15]"
# (znode.container.checkIntervalMs is 1 s here).
# Needs a JDK of at least 17 and Maven. Fails if the fourth number is not lower than the third, or a czxid is lower than the
# one before.

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
		<dependency>
			<groupId>org.apache.curator</groupId>
			<artifactId>curator-recipes</artifactId>
			<version>5.9.0</version>
		</dependency>
	</dependencies>
</project>
POM
cat > Finding.java <<'JAVA'
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;

public class Finding {

	public static void main(String[] args) throws Exception {
		System.setProperty("znode.container.checkIntervalMs", "1000");
		System.setProperty("zookeeper.admin.enableServer", "false");
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		ServerConfig config = new ServerConfig();
		config.parse(Files.writeString(Path.of("zoo.cfg"),
				"clientPort=" + port + "\nclientPortAddress=127.0.0.1\ndataDir=data\n").toString());
		Thread server = new Thread(() -> {
			try {
				new ZooKeeperServerMain().runFromConfig(config);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		server.setDaemon(true);
		server.start();
		CuratorFramework client = CuratorFrameworkFactory.newClient("127.0.0.1:" + port, new RetryNTimes(100, 100));
		client.start();
		client.blockUntilConnected(20, TimeUnit.SECONDS);
		InterProcessMutex mutex = new InterProcessMutex(client, "/order");
		List<Integer> numbers = new ArrayList<>();
		List<Long> transactions = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			mutex.acquire();
			String node = mutex.getParticipantNodes().iterator().next();
			numbers.add(Integer.parseInt(node.substring(node.length() - 10)));
			transactions.add(client.checkExists().forPath(node).getCzxid());
			mutex.release();
			for (int n = 0; i == 2 && n < 200 && client.checkExists().forPath("/order") != null; n++) {
				Thread.sleep(100);
			}
		}
		System.out.println("held five times, unused for a while after the third: numbers=" + numbers + ", czxid="
				+ transactions);
		boolean anew = numbers.get(3) < numbers.get(2);
		boolean sorted = transactions.equals(transactions.stream().sorted().toList());
		System.exit((anew && sorted) ? 0 : 1);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
