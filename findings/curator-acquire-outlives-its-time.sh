#!/usr/bin/env bash
#
# Curator 5.9.0: InterProcessMutex.acquire(200 ms) without a server does not end after 200 ms. Its time is for the wait
# behind other holders only; without a connection, the retry policy decides: with ExponentialBackoffRetry(1000, 3) as in
# Curator's guide and the default timeouts, it throws ConnectionLoss after some twenty seconds.
#
# Seen: "acquire(200 ms) without a server: ConnectionLossException after 23 s".
# Needs a JDK of at least 17 and Maven. Fails if it returns or throws within three seconds.

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
import org.apache.curator.retry.ExponentialBackoffRetry;
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
		CuratorFramework client = CuratorFrameworkFactory.newClient(address, new ExponentialBackoffRetry(1_000, 3));
		client.start();
		InterProcessMutex lock = new InterProcessMutex(client, "/order");
		lock.acquire();
		lock.release();
		connections.shutdown();
		server.shutdown();
		long begin = System.nanoTime();
		String outcome;
		try {
			outcome = String.valueOf(lock.acquire(200, TimeUnit.MILLISECONDS));
		}
		catch (Exception ex) {
			outcome = ex.getClass().getSimpleName();
		}
		double seconds = (System.nanoTime() - begin) / 1e9;
		System.out.printf("acquire(200 ms) without a server: %s after %.0f s%n", outcome, seconds);
		System.exit((seconds > 3) ? 0 : 1);
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
