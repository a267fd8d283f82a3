#!/usr/bin/env bash
#
# Curator 5.9.0: InterProcessMultiLock.acquire(time, unit) gives the whole time to each of its locks, one after the other.
# With one second for three locks that come free after 0.8 s, 1.6 s and never, the caller waits 2.6 s, and keeps the first
# two locks from everybody else meanwhile.
#
# Seen: "acquire(1 s): false after 2.8 s".
# Needs a JDK of at least 17 and Maven. Fails if it returns within two seconds.

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
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
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
		CuratorFramework ours = CuratorFrameworkFactory.newClient(address, new RetryOneTime(100));
		theirs.start();
		ours.start();
		InterProcessSemaphoreMutex first = new InterProcessSemaphoreMutex(theirs, "/first");
		InterProcessSemaphoreMutex second = new InterProcessSemaphoreMutex(theirs, "/second");
		InterProcessSemaphoreMutex third = new InterProcessSemaphoreMutex(theirs, "/third");
		first.acquire();
		second.acquire();
		third.acquire();
		InterProcessMultiLock all = new InterProcessMultiLock(List.of(new InterProcessSemaphoreMutex(ours, "/first"),
				new InterProcessSemaphoreMutex(ours, "/second"), new InterProcessSemaphoreMutex(ours, "/third")));
		Thread releasing = new Thread(() -> {
			try {
				Thread.sleep(800);
				first.release();
				Thread.sleep(800);
				second.release();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		long begin = System.nanoTime();
		releasing.start();
		boolean acquired = all.acquire(1, TimeUnit.SECONDS);
		double seconds = (System.nanoTime() - begin) / 1e9;
		System.out.printf("acquire(1 s): %s after %.1f s%n", acquired, seconds);
		System.exit((!acquired && seconds > 2) ? 0 : 1);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
