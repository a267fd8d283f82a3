#!/usr/bin/env bash
#
# Curator 5.9.0: InterProcessMutex.acquire() of a thread that has the lock counts, and asks nobody. When the session has
# expired meanwhile and another has the lock, acquire() returns true at once, and isOwnedByCurrentThread() says true; a
# method that is called with the lock, and takes it "again" to be sure, runs beside the other holder.
#
# Seen: "the other gets it: true, ours re-enters: true after 0 ms, isOwnedByCurrentThread: true".
# Needs a JDK of at least 17 and Maven. Fails if the re-entry is refused.

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
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;
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
		String address = "127.0.0.1:" + connections.getLocalPort();
		CuratorFramework theirs = CuratorFrameworkFactory.newClient(address, new RetryOneTime(100));
		CuratorFramework us = CuratorFrameworkFactory.newClient(address, new RetryOneTime(100));
		theirs.start();
		us.start();
		InterProcessMutex ours = new InterProcessMutex(us, "/order");
		ours.acquire();
		server.closeSession(us.getZookeeperClient().getZooKeeper().getSessionId());
		InterProcessMutex other = new InterProcessMutex(theirs, "/order");
		boolean[] gotten = new boolean[1];
		Thread another = new Thread(() -> {
			try {
				gotten[0] = other.acquire(20, TimeUnit.SECONDS);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		another.start();
		another.join();
		us.blockUntilConnected(20, TimeUnit.SECONDS);
		long begin = System.nanoTime();
		boolean again = ours.acquire(5, TimeUnit.SECONDS);
		long millis = (System.nanoTime() - begin) / 1_000_000;
		boolean owned = ours.isOwnedByCurrentThread();
		System.out.println("the other gets it: " + gotten[0] + ", ours re-enters: " + again + " after " + millis
				+ " ms, isOwnedByCurrentThread: " + owned);
		System.exit((gotten[0] && again && owned) ? 0 : 1);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
