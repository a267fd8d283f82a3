#!/usr/bin/env bash
#
# Spring Integration 6.5.3, ZookeeperLockRegistry (7.1.0-M1 has the same code): tryLock(0, SECONDS) nearly always fails
# although nobody has the lock: it looks first whether the server replies, in another thread, for as long as the caller
# will wait. tryLock(), which java.util.concurrent.locks.Lock has return at once, waits for a second where another has the
# lock.
#
# Seen: "free: tryLock(0) 5 of 100, tryLock() 100 of 100", "held by another: tryLock() false after 1.0 s".
# Needs a JDK of at least 17 and Maven. Fails if tryLock(0) gets a free lock more than every other time, or tryLock()
# takes less than 0.9 s.

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
			<groupId>org.springframework.integration</groupId>
			<artifactId>spring-integration-zookeeper</artifactId>
			<version>6.5.3</version>
		</dependency>
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

public class Finding {

	public static void main(String[] args) throws Exception {
		Path data = Files.createTempDirectory(Path.of("."), "data");
		ZooKeeperServer server = new ZooKeeperServer(data.toFile(), data.toFile(), 500);
		ServerCnxnFactory connections = new NIOServerCnxnFactory();
		connections.configure(new InetSocketAddress("127.0.0.1", 0), 0);
		connections.startup(server);
		Lock ours = registry(connections).obtain("name");
		int timed = 0;
		int untimed = 0;
		for (int i = 0; i < 100; i++) {
			timed += released(ours, ours.tryLock(0, TimeUnit.SECONDS));
			untimed += released(ours, ours.tryLock());
		}
		System.out.println("free: tryLock(0) " + timed + " of 100, tryLock() " + untimed + " of 100");
		registry(connections).obtain("name").lock();
		long start = System.nanoTime();
		boolean got = ours.tryLock();
		double seconds = (System.nanoTime() - start) / 1e9;
		System.out.printf("held by another: tryLock() %s after %.1f s%n", got, seconds);
		System.exit((timed <= 50 && untimed == 100 && !got && seconds >= 0.9) ? 0 : 1);
	}

	private static int released(Lock lock, boolean got) {
		if (got) {
			lock.unlock();
		}
		return got ? 1 : 0;
	}

	private static ZookeeperLockRegistry registry(ServerCnxnFactory connections) {
		CuratorFramework client = CuratorFrameworkFactory.newClient("127.0.0.1:" + connections.getLocalPort(),
				new RetryOneTime(100));
		client.start();
		return new ZookeeperLockRegistry(client);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
