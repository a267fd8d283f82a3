#!/usr/bin/env bash
#
# Curator 5.9.0, LeaderLatch: close(), "the only way to release leadership", removes the node of the leader first, and calls
# notLeader() of its listeners after that. A leader that ends its work there still does so while the next one leads: a
# planned hand-over overlaps for as long as the clean-up takes. So it is with CloseMode.NOTIFY_LEADER; SILENT, the default,
# does not call the listener at all, and the work goes on.
#
# Seen: "NOTIFY_LEADER: the next leads while the one before works: true, works 3 s later: false", "SILENT: the next leads
# while the one before works: true, works 3 s later: true" (a listener that needs two seconds).
# Needs a JDK of at least 17 and Maven. Fails if the next leads after the work has ended, or SILENT calls the listener.

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
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatch.CloseMode;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

public class Finding {

	private static volatile boolean working;

	private static volatile Boolean beside;

	public static void main(String[] args) throws Exception {
		Path data = Files.createTempDirectory(Path.of("."), "data");
		ZooKeeperServer server = new ZooKeeperServer(data.toFile(), data.toFile(), 500);
		ServerCnxnFactory connections = new NIOServerCnxnFactory();
		connections.configure(new InetSocketAddress("127.0.0.1", 0), 0);
		connections.startup(server);
		boolean seen = true;
		for (CloseMode mode : new CloseMode[] { CloseMode.NOTIFY_LEADER, CloseMode.SILENT }) {
			working = false;
			beside = null;
			LeaderLatch first = latch(connections, "/leader" + mode, mode);
			first.addListener(new LeaderLatchListener() {

				@Override
				public void isLeader() {
					working = true;
				}

				@Override
				public void notLeader() {
					sleep(2_000); // ends its work
					working = false;
				}

			});
			first.start();
			first.await(20, TimeUnit.SECONDS);
			LeaderLatch second = latch(connections, "/leader" + mode, mode);
			second.addListener(new LeaderLatchListener() {

				@Override
				public void isLeader() {
					beside = working;
				}

				@Override
				public void notLeader() {
				}

			});
			second.start();
			sleep(1_000);
			first.close();
			for (int i = 0; i < 100 && beside == null; i++) {
				sleep(100);
			}
			sleep(3_000);
			System.out.println(mode + ": the next leads while the one before works: " + beside + ", works 3 s later: "
					+ working);
			seen &= Boolean.TRUE.equals(beside) && working == (mode == CloseMode.SILENT);
		}
		System.exit(seen ? 0 : 1);
	}

	private static LeaderLatch latch(ServerCnxnFactory connections, String path, CloseMode mode) {
		CuratorFramework client = CuratorFrameworkFactory.newClient("127.0.0.1:" + connections.getLocalPort(),
				new RetryOneTime(100));
		client.start();
		return new LeaderLatch(client, path, "", mode);
	}

	private static void sleep(long millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
