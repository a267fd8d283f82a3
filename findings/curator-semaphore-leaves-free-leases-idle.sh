#!/usr/bin/env bash
#
# Curator 5.9.0: InterProcessSemaphoreV2.acquire(quantity, time, unit) takes its leases one by one, and gives up its turn
# after each. Two callers that want two of two leases get one each, and each waits for that of the other while nobody
# uses any: until the time of one is over, which gets none. Without a time, both would wait for ever. A single acquire of
# two, though its JavaDoc reads like one step, has to be treated like two locks in no order.
#
# Seen: "two leases come back, two callers want two each: the first none after 6 s, the second 2 after the first gave up",
# "alone: 2 after 0 s".
# Needs a JDK of at least 17 and Maven. Fails if one of the two is served before.

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
import java.util.Collection;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

public class Finding {

	private record Outcome(int leases, long began, long ended) {

		double seconds() {
			return (this.ended - this.began) / 1e9;
		}

	}

	public static void main(String[] args) throws Exception {
		Path data = Files.createTempDirectory(Path.of("."), "data");
		ZooKeeperServer server = new ZooKeeperServer(data.toFile(), data.toFile(), 500);
		ServerCnxnFactory connections = new NIOServerCnxnFactory();
		connections.configure(new InetSocketAddress("127.0.0.1", 0), 0);
		connections.startup(server);
		CuratorFramework client = CuratorFrameworkFactory.newClient("127.0.0.1:" + connections.getLocalPort(),
				new RetryOneTime(100));
		client.start();
		Collection<Lease> held = semaphore(client).acquire(2);
		FutureTask<Outcome> first = caller(client, 6);
		await(client, 1);
		FutureTask<Outcome> second = caller(client, 30);
		await(client, 2);
		semaphore(client).returnAll(held);
		Outcome none = first.get();
		Outcome both = second.get();
		boolean after = both.ended() >= none.ended() - 500_000_000;
		System.out.printf("two leases come back, two callers want two each: the first %s after %.0f s, the second %d %s%n",
				(none.leases() == 0) ? "none" : none.leases(), none.seconds(), both.leases(),
				after ? "after the first gave up" : "before that");
		FutureTask<Outcome> alone = caller(client, 30);
		System.out.printf("alone: %d after %.0f s%n", alone.get().leases(), alone.get().seconds());
		System.exit((none.leases() == 0 && both.leases() == 2 && after && alone.get().leases() == 2) ? 0 : 1);
	}

	private static FutureTask<Outcome> caller(CuratorFramework client, int seconds) {
		FutureTask<Outcome> caller = new FutureTask<>(() -> {
			long began = System.nanoTime();
			InterProcessSemaphoreV2 semaphore = semaphore(client);
			Collection<Lease> leases = semaphore.acquire(2, seconds, TimeUnit.SECONDS);
			long ended = System.nanoTime();
			if (leases == null) {
				return new Outcome(0, began, ended);
			}
			semaphore.returnAll(leases);
			return new Outcome(leases.size(), began, ended);
		});
		new Thread(caller).start();
		return caller;
	}

	private static InterProcessSemaphoreV2 semaphore(CuratorFramework client) {
		return new InterProcessSemaphoreV2(client, "/permits", 2);
	}

	private static void await(CuratorFramework client, int callers) throws Exception {
		while (client.getChildren().forPath("/permits/locks").size() < callers) {
			Thread.sleep(20);
		}
	}

}
JAVA
mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
timeout 120 java -cp 'lib/*' Finding.java
